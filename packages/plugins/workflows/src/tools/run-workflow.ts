import {
  type CallContext,
  capOf,
  defineTool,
  followRun,
  type Run,
  ToolError,
  takeUpRun,
} from '@nexus/plugin-sdk';
import { z } from 'zod';
import { type WorkflowOutput, workflowRun } from '../runs/workflow-run.ts';
import type { WorkflowsState } from '../state.ts';
import { begin } from './begin.ts';
import { dryRunOf } from './dry-run.ts';
import { dryRun, faultRow, inputRow, inputs, name, resume, rows, timeoutMs } from './fields.ts';
import { runSummary } from './summary.ts';

export const runWorkflow = defineTool({
  name: 'run_workflow',
  title: 'Run a workflow',
  description:
    'Runs a workflow: steps that call tools with your rights, ask experts or hold votes, side by side where they may, durably. list_workflows has what there is; graphs are run by run_graph_workflow.',
  input: z.object({
    template: name.optional().describe(`${name.description} Needed unless resume is given.`),
    inputs,
    dryRun,
    timeoutMs,
    resume,
  }),
  output: z.object({
    runId: z.string().optional(),
    status: z.enum(['completed', 'ready', 'faulty']).describe('The last two of a dry run.'),
    summary: z.string().describe('For a person, Markdown.'),
    steps: rows.optional().describe('id, status, output.'),
    output: z.unknown().optional(),
    plan: rows.optional(),
    file: z.string().optional(),
    kind: z.enum(['workflow', 'graph']).optional(),
    inputs: z.array(inputRow).optional(),
    missingInputs: z.array(z.string()).optional(),
    faults: z.array(faultRow).optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  budget: 'pipeline',
  isLong: true,
  isResumable: true,
  async call(
    { template, inputs: given, dryRun: isDry, timeoutMs: limitMs, resume: earlier },
    context: CallContext<WorkflowsState>,
  ) {
    const { state, signal } = context;
    if (earlier !== undefined) {
      return answer(await takeUpRun(earlier, workflowRun, context, { cap: capOf(state.options) }), context);
    }
    if (template === undefined) {
      throw new ToolError(
        'NEXUS_INVALID_ARGUMENTS',
        'Name the template, or with resume the runId of an earlier run.',
      );
    }
    const found = await state.catalogue.find(template, { signal, prefer: 'workflow' });
    if (isDry) return dryRunOf(found, given, context);
    const kind = { of: 'workflow', kind: workflowRun } as const;
    return answer(await begin(context, kind, { found, inputs: given, timeoutMs: limitMs }), context);
  },
});

async function answer(run: Run, context: CallContext<WorkflowsState>) {
  const { steps, output } = await followRun<WorkflowOutput>(run, context);
  return {
    runId: run.id,
    status: 'completed' as const,
    summary: runSummary(run.title, output, steps),
    steps: [...steps],
    output,
  };
}
