import {
  defineRun,
  type GraphNode,
  type GraphState,
  type GraphVisit,
  type RunContext,
} from '@nexus/plugin-sdk';
import { type GraphFile, MAX_ITEMS, type NodeFile } from '../definition/file-schema.ts';
import type { WorkflowsState } from '../state.ts';
import { asksOf, doWork } from './do-work.ts';
import { filler, itemsOf } from './fill.ts';
import {
  cameBy,
  isWanted,
  own,
  type Records,
  recordsOf,
  takenFrom,
  type VisitRecord,
} from './graph-edges.ts';
import { graphScope, stateOf } from './graph-state.ts';
import { heldAnew } from './held-inputs.ts';
import type { KeptDefinition, WorkflowInput } from './kept-definition.ts';
import { inTurn } from './turn.ts';
import { withItem } from './with-item.ts';

export interface GraphOutput {
  readonly finalState: Readonly<Record<string, unknown>>;
  readonly nodes: readonly { readonly id: string; readonly visits: number; readonly output?: unknown }[];
  readonly output: unknown;
}

/** Marks what does the items of a node; the node itself then gathers them. A file's ids have no such sign. */
const ITEMS = '.items';

/** The nodes of a graph, visited as their edges lead. */
export const graphRun = defineRun({
  name: 'workflows.graph',
  version: 1,
  anew: heldAnew,
  graph(
    given: WorkflowInput,
    { definition }: Pick<RunContext<WorkflowsState>, 'definition' | 'state' | 'host'>,
  ) {
    const { file } = definition as KeptDefinition<'graph'>; // as run_graph_workflow starts it
    const about: About = { file, given };
    return {
      nodes: Object.fromEntries(file.nodes.flatMap((node) => nodesOf(node, about))),
      maxVisits: visitsOf(file) * (MAX_ITEMS + 1) * file.nodes.length,
      result: (state: GraphState) => resultOf(about, state),
    };
  },
});

interface About {
  readonly file: GraphFile;
  readonly given: WorkflowInput;
}

function nodesOf(node: NodeFile, about: About): [string, GraphNode][] {
  const { id } = node;
  const { edges } = about.file;
  const common = {
    title: node.title ?? id,
    needs: [
      ...new Set(edges.flatMap(({ from, to, atMost }) => (to === id && atMost === undefined ? [from] : []))),
    ],
    when: (state: GraphState) => isWanted(id, edges, recordsOf(state)),
    maxVisits: visitsOf(about.file),
  };
  const again = (state: GraphState) =>
    own(recordsOf(state), id)?.taken.flatMap((index) => {
      const edge = edges[index];
      return edge?.atMost === undefined ? [] : [startOf(edge.to, about.file)];
    }) ?? [];
  const { forEach } = node;
  if (forEach === undefined) {
    const visit = async (visited: GraphVisit) =>
      recordOf(node, about, visited, await workOf(node, about, visited));
    return [[id, { ...common, asks: asksOf(node), again, visit }]];
  }
  const items = filler(forEach, `forEach of ${id}`);
  const source = id + ITEMS;
  return [
    [
      source,
      {
        ...common,
        asks: asksOf(node),
        ...(node.concurrency === undefined ? {} : { concurrency: node.concurrency }),
        forEach: (state) => itemsOf(items(scopeOf(about, state, id)), `forEach of ${id}`),
        visit: (visited) => workOf(node, about, visited),
      },
    ],
    [
      id,
      {
        ...common,
        asks: [],
        needs: [source],
        again,
        visit: async (visited) => recordOf(node, about, visited, visited.state.outputs[source]),
      },
    ],
  ];
}

/** How often one node may be visited: once, and once more for each time that the run may go back. */
function visitsOf({ edges }: GraphFile): number {
  return 1 + edges.reduce((sum, { atMost = 0 }) => sum + atMost, 0);
}

/** Where a way back begins: of a node with items, at those. */
function startOf(id: string, { nodes }: GraphFile): string {
  return nodes.some((node) => node.id === id && node.forEach !== undefined) ? id + ITEMS : id;
}

async function workOf(node: NodeFile, about: About, visited: GraphVisit): Promise<unknown> {
  const { run, item, index, visit } = visited;
  const inItem = index === undefined ? {} : { item, index };
  const scope = { ...scopeOf(about, visited.state, node.id), visit, ...inItem };
  const given = await inTurn((work) => filler(node.with, `with of ${node.id}`)(scope, work));
  return doWork(run, { work: withItem(node, item, index), given });
}

function scopeOf({ file, given }: About, state: GraphState, node: string) {
  const records = recordsOf(state);
  return {
    ...graphScope(file, given, { records, visits: state.visits }),
    visit: own(state.visits, node) ?? 0,
  };
}

function recordOf(node: NodeFile, about: About, { state, visit }: GraphVisit, output: unknown): VisitRecord {
  const { file } = about;
  const records = recordsOf(state);
  const ended = file.nodes.flatMap(({ id }) => own(records, id)?.endedAs ?? 0);
  const scope = { ...scopeOf(about, state, node.id), visit, output };
  const set = filler(node.set, `set of ${node.id}`)(scope) as Record<string, unknown>; // an object, by the schema
  const plain = {
    output,
    set,
    visit,
    endedAs: Math.max(0, ...ended) + 1,
    cameBy: cameBy(node.id, file.edges, records),
    taken: [],
    went: {},
  };
  // An edge is judged by the state that its node has left.
  const after: Records = { ...records, [node.id]: plain };
  const seen = { ...scope, state: stateOf(file, about.given, after) };
  return { ...plain, ...takenFrom(node.id, file.edges, { scope: seen, before: own(records, node.id) }) };
}

function resultOf({ file, given }: About, state: GraphState): GraphOutput {
  const records = recordsOf(state);
  const scope = graphScope(file, given, { records, visits: state.visits });
  const finalState = stateOf(file, given, records);
  return {
    finalState,
    nodes: file.nodes.map(({ id }) => {
      const record = own(records, id);
      return { id, visits: own(state.visits, id) ?? 0, ...(record ? { output: record.output } : {}) };
    }),
    output: file.outputs ? filler(file.outputs, 'outputs')(scope) : finalState,
  };
}
