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
import { checkpointsOf, stepOfCheckpoint } from '../runs/checkpoints.ts';
import { type GraphOutput, graphRun } from '../runs/graph-run.ts';
import type { WorkflowsState } from '../state.ts';
import { begin } from './begin.ts';
import { inputs, name, resume, rows } from './fields.ts';
import { graphSummary, listSummary } from './summary.ts';

const LIST = 'list';

export const runGraphWorkflow = defineTool({
  name: 'run_graph_workflow',
  title: 'Run a graph',
  description:
    'Runs a graph workflow: nodes that share a state, with conditions and bounded ways back, such as implementing until a vote approves. Durable; resume goes on with an earlier run, fromCheckpoint does one again from a node as a new run.',
  input: z.object({
    workflow: name
      .optional()
      .describe('A name of list_workflows, a path in the project, or "list" for what there is.'),
    inputs,
    resume,
    fromCheckpoint: z
      .string()
      .max(100)
      .optional()
      .describe('With resume: do that run again from this node, or <node>#<visit>.'),
  }),
  output: z.object({
    runId: z.string().optional(),
    status: z.enum(['completed', 'listed']),
    summary: z.string().describe('For a person, Markdown.'),
    finalState: z.unknown().optional(),
    output: z.unknown().optional(),
    nodesExecuted: rows.optional().describe('id, visits, output.'),
    checkpoints: rows.optional().describe('id, node, visit, status, startedAt, endedAt.'),
    graphs: rows.optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  budget: 'pipeline',
  isLong: true,
  isResumable: true,
  async call(
    { workflow, inputs: given, resume: earlier, fromCheckpoint },
    context: CallContext<WorkflowsState>,
  ) {
    const { state, signal } = context;
    if (fromCheckpoint !== undefined) return answer(await again(earlier, fromCheckpoint, context), context);
    if (earlier !== undefined) {
      return answer(await takeUpRun(earlier, graphRun, context, { cap: capOf(state.options) }), context);
    }
    if (workflow === undefined || workflow === LIST) return listed(context);
    const found = await state.catalogue.find(workflow, { signal, prefer: 'graph' });
    const kind = { of: 'graph', kind: graphRun } as const;
    return answer(await begin(context, kind, { found, inputs: given, timeoutMs: undefined }), context);
  },
});

async function again(
  runId: string | undefined,
  checkpoint: string,
  context: CallContext<WorkflowsState>,
): Promise<Run> {
  const { host, user, state } = context;
  if (runId === undefined) {
    throw new ToolError(
      'NEXUS_INVALID_ARGUMENTS',
      'fromCheckpoint needs resume: the runId of the run that is done again.',
    );
  }
  const run = await host.runs.get(runId, { user });
  if (run.kind !== graphRun.name) {
    throw new ToolError('NEXUS_CONFLICT', `Run ${runId} is a ${run.kind}, not a graph.`, {
      detail: { runId },
    });
  }
  const cap = capOf(state.options);
  return host.runs.rerun(runId, {
    from: stepOfCheckpoint(run, checkpoint),
    ...(cap === undefined ? {} : { cap }),
    live: context,
    user,
    caller: context,
  });
}

async function answer(run: Run, context: CallContext<WorkflowsState>) {
  const { finalState, nodes, output } = await followRun<GraphOutput>(run, context);
  const detail = await context.host.runs.get(run.id, { user: context.user });
  const checkpoints = checkpointsOf(detail);
  const nodesExecuted = nodes.filter(({ visits }) => visits > 0);
  return {
    runId: run.id,
    status: 'completed' as const,
    summary: graphSummary(run.title, { output, nodes }),
    finalState,
    output,
    nodesExecuted,
    checkpoints,
  };
}

async function listed({ state, signal }: CallContext<WorkflowsState>) {
  const { entries } = await state.catalogue.list(signal);
  const graphs = entries.flatMap(({ definition, origin }) =>
    definition.kind === 'graph'
      ? [
          {
            name: definition.name,
            description: definition.description,
            inputs: definition.inputs,
            source: origin,
          },
        ]
      : [],
  );
  return { status: 'listed' as const, summary: listSummary(graphs), graphs };
}
