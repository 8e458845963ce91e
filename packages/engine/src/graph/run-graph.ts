import type { GraphKind, RunContext, RunGraph } from '@nexus/plugin-sdk';
import { assertGraph } from './assert-graph.ts';
import { Frontier, type GraphProgress, mostVisits, type Unit } from './frontier.ts';
import { scoped } from './scoped-context.ts';

/** Visits of one run; those beyond are a child's, so that no history grows without bound. */
const MAX_VISITS_HERE = 800;
const DEFAULT_CONCURRENCY = 8;

/** How a child is told where to go on. */
const CONTINUED = 'nexus.graph.continued';

interface GraphRun {
  // biome-ignore lint/suspicious/noExplicitAny: the kind's own input and output
  readonly kind: GraphKind<any, any, unknown>;
  readonly input: unknown;
  readonly context: RunContext;
}

/** Runs a graph to its end, here and in as many children as it takes. */
export async function runGraph({ kind, input: given, context }: GraphRun): Promise<unknown> {
  const { input, progress } = readInput(given);
  const graph = kind.graph(input, context);
  assertGraph(graph);
  const frontier = new Frontier(graph, input, progress);
  if (!progress) await context.event('graph', shapeOf(graph));
  const isAtEnd = await visitAll(graph, frontier, context);
  if (isAtEnd) return graph.result ? graph.result(frontier.state) : frontier.state.outputs;
  const rest = { [CONTINUED]: frontier.progress, input };
  return context.child('continued', kind, rest, { title: 'continued', definition: context.definition });
}

/** @returns false where the rest is for a child */
async function visitAll(graph: RunGraph, frontier: Frontier, context: RunContext): Promise<boolean> {
  const limit = graph.concurrency ?? DEFAULT_CONCURRENCY;
  const running = new Set<Promise<void>>();
  const total = Object.keys(graph.nodes).length;
  const tell = () => {
    const { ended: done } = frontier;
    context.progress(`${done} of ${total} ${total === 1 ? 'step' : 'steps'} done`, done, total);
  };
  let visits = 0;
  tell();
  let failure: { error: unknown } | undefined;
  for (;;) {
    while (!failure && running.size < limit && visits < MAX_VISITS_HERE) {
      const unit = frontier.take();
      if (!unit) break;
      visits += 1;
      const visit = visitOne(graph, frontier, { unit, context }).catch((error: unknown) => {
        failure ??= { error };
      });
      running.add(visit);
      void visit.finally(() => running.delete(visit));
    }
    if (running.size > 0) await Promise.race(running).then(tell);
    else if (failure) throw failure.error;
    else return visits < MAX_VISITS_HERE || !frontier.hasMore();
  }
}

async function visitOne(
  graph: RunGraph,
  frontier: Frontier,
  { unit, context }: { unit: Unit; context: RunContext },
): Promise<void> {
  const { node: name, visit, index, item } = unit;
  const node = graph.nodes[name];
  if (!node) throw new Error(`no node ${name}`);
  const at = index === undefined ? '' : `[${index}]`;
  const run = scoped(context, `${name}#${visit}${at}`);
  const ofItem = index === undefined ? {} : { item, index };
  const output = await node.visit({ node: name, visit, ...ofItem, state: frontier.state, run });
  const again = frontier.end(unit, output);
  if (again.length > 0) await context.event(`graph.again ${name}#${visit}`, { from: name, to: again });
}

function readInput(given: unknown): { input: unknown; progress: GraphProgress | undefined } {
  if (typeof given !== 'object' || given === null || !(CONTINUED in given)) {
    return { input: given, progress: undefined };
  }
  const { [CONTINUED]: progress, input } = given as { [CONTINUED]: GraphProgress; input: unknown };
  return { input, progress };
}

function shapeOf({ nodes }: RunGraph) {
  const goesBack = Object.values(nodes).some(({ again }) => again !== undefined);
  return {
    nodes: Object.entries(nodes).map(([name, node]) => ({
      name,
      title: node.title,
      needs: node.needs ?? [],
      // By which it is known what the run may come to ask.
      visits: goesBack ? mostVisits(node) : 1,
      hasItems: node.forEach !== undefined,
      ...(node.asks === undefined ? {} : { asks: node.asks }),
    })),
  };
}
