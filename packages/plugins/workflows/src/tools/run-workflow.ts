import { type CallContext, capOf, defineRunTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { keptForCall } from '../runs/kept-for-call.ts';
import { workflowRun } from '../runs/workflow-run.ts';
import type { WorkflowsState } from '../state.ts';
import { beginningOf } from './beginning.ts';
import { dryRunOf } from './dry-run.ts';
import { digest, dryRun, faultRow, inputRow, inputs, name, rows, timeoutMs } from './fields.ts';
import { resultText, runSummary } from './summary.ts';
import { toldOnce } from './told-once.ts';

export const runWorkflow = defineRunTool({
  name: 'run_workflow',
  title: 'Run a workflow',
  description:
    'Runs a workflow: steps that call tools with your rights, ask experts or hold votes, side by side where they may, durably. list_workflows has what there is.',
  input: z.object({
    template: name,
    digest,
    inputs,
    dryRun,
    timeoutMs,
  }),
  aliases: { name: 'template', workflow: 'template' },
  output: z.object({
    status: z.enum(['completed', 'ready', 'faulty']).describe('The last two of a dry run.'),
    summary: z.string().describe('For a person, Markdown.'),
    steps: rows.optional().describe('id, status; output, where it is not whole in `output`.'),
    output: z.unknown().optional(),
    plan: rows.optional(),
    file: z.string().optional(),
    kind: z.enum(['workflow', 'graph']).optional(),
    inputs: z.array(inputRow).optional(),
    missingInputs: z.array(z.string()).optional(),
    faults: z.array(faultRow).optional(),
  }),
  text: ({ summary, output }) => resultText(summary, output),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  isConduit: true,
  budget: 'pipeline',
  kind: workflowRun,
  cap: ({ options }) => capOf(options),
  async prepare(
    { template, digest: meant, inputs: given, dryRun: isDry, timeoutMs: limitMs },
    context: CallContext<WorkflowsState>,
  ) {
    const { state, signal, roots } = context;
    const kept = await keptForCall(context);
    const found = await state.catalogue.find(template, { signal, roots, prefer: 'workflow', kept });
    if (isDry) return { answer: await dryRunOf(found, given, context) };
    return beginningOf(
      'workflow',
      { found, kept, digest: meant, inputs: given, timeoutMs: limitMs },
      context,
    );
  },
  answer({ steps, output }, { run }) {
    return {
      status: 'completed' as const,
      summary: runSummary(run.title, steps),
      steps: toldOnce(steps, output),
      output,
    };
  },
});
