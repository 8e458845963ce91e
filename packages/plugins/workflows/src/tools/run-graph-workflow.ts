import { type CallContext, capOf, defineRunTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { checkpointsOf } from '../runs/checkpoints.ts';
import { graphRun } from '../runs/graph-run.ts';
import { keptForCall } from '../runs/kept-for-call.ts';
import type { WorkflowsState } from '../state.ts';
import { beginningOf } from './beginning.ts';
import { digest, inputs, name, rows } from './fields.ts';
import { graphSummary, listSummary, resultText } from './summary.ts';
import { toldOnce } from './told-once.ts';

const LIST = 'list';

export const runGraphWorkflow = defineRunTool({
  name: 'run_graph_workflow',
  title: 'Run a graph',
  description:
    'Runs a graph workflow: nodes that share a state, with conditions and bounded ways back, such as implementing until a vote approves. resume_run does one again from a node.',
  input: z.object({
    workflow: name
      .describe('A name of list_workflows, a path in the project, or "list" for what there is.')
      .meta({ examples: [LIST] }),
    digest,
    inputs,
  }),
  output: z.object({
    status: z.enum(['completed', 'listed']),
    summary: z.string().describe('For a person, Markdown.'),
    finalState: z.unknown().optional(),
    output: z.unknown().optional(),
    nodesExecuted: rows.optional().describe('id, visits; output, where it is not whole in `output`.'),
    checkpoints: rows.optional().describe('id, node, visit, status, startedAt, endedAt.'),
    graphs: rows.optional(),
  }),
  text: ({ summary, output }) => resultText(summary, output),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  isConduit: true,
  budget: 'pipeline',
  kind: graphRun,
  cap: ({ options }) => capOf(options),
  async prepare({ workflow, digest: meant, inputs: given }, context: CallContext<WorkflowsState>) {
    const { state, signal, roots } = context;
    if (workflow === LIST) return { answer: await listed(context) };
    const kept = await keptForCall(context);
    const found = await state.catalogue.find(workflow, { signal, roots, prefer: 'graph', kept });
    return beginningOf('graph', { found, kept, digest: meant, inputs: given, timeoutMs: undefined }, context);
  },
  async answer({ finalState, nodes, output }, { run, detail }) {
    const nodesExecuted = nodes.filter(({ visits }) => visits > 0);
    return {
      status: 'completed' as const,
      summary: graphSummary(run.title, { nodes }),
      finalState,
      output,
      nodesExecuted: toldOnce(nodesExecuted, output),
      checkpoints: checkpointsOf(await detail()),
    };
  },
});

async function listed({ state, signal, roots }: CallContext<WorkflowsState>) {
  const { entries } = await state.catalogue.list({ signal, roots });
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
