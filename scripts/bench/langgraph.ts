import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPeers } from './install-peers.ts';

/** A graph of one node that does nothing and visits itself again, kept by a checkpointer at every visit. */
export interface LangGraphLoop {
  /** The checkpointer that could be had. */
  readonly keptBy: string;
  /** Runs the graph on a record of its own. */
  run(visits: number): Promise<void>;
}

/** The part of LangGraph that is used here. */
interface LangGraph {
  readonly StateGraph: new (state: object) => GraphBuilder;
  readonly Annotation: ((channel: object) => object) & { Root(channels: object): object };
  readonly MemorySaver: new () => object;
  readonly START: string;
  readonly END: string;
}

interface GraphBuilder {
  addNode(name: string, visit: (state: { n: number }) => { n: number }): GraphBuilder;
  addEdge(from: string, to: string): GraphBuilder;
  addConditionalEdges(from: string, next: (state: { n: number }) => string): GraphBuilder;
  compile(options: { checkpointer: object }): { invoke(state: object, config: object): Promise<unknown> };
}

/** LangGraph as one installs it: its SQLite checkpointer, with full fsync as here; else the one in memory. */
export async function langGraphLoop(dataDir: string): Promise<LangGraphLoop> {
  const peer = installPeers({
    folder: 'nexus-bench-langgraph',
    hasNativeParts: true,
    versions: {
      '@langchain/core': '1.2.13',
      '@langchain/langgraph': '1.7.3',
      '@langchain/langgraph-checkpoint-sqlite': '1.0.4',
    },
  });
  const load = async <Module>(name: Parameters<typeof peer>[0]) =>
    (await import(pathToFileURL(peer(name, 'dist/index.js')).href)) as Module;
  const { StateGraph, Annotation, MemorySaver, START, END } = await load<LangGraph>('@langchain/langgraph');
  const saver = await sqliteSaver().catch(() => undefined);

  async function sqliteSaver() {
    const { SqliteSaver } = await load<{
      SqliteSaver: { fromConnString(file: string): { readonly db: { pragma(text: string): unknown } } };
    }>('@langchain/langgraph-checkpoint-sqlite');
    const opened = SqliteSaver.fromConnString(join(dataDir, 'langgraph.sqlite'));
    opened.db.pragma('journal_mode = WAL');
    opened.db.pragma('synchronous = FULL');
    return opened;
  }

  let runs = 0;
  return {
    keptBy: saver ? 'LangGraph with its SQLite checkpointer' : 'LangGraph with its checkpointer in memory',
    async run(visits) {
      runs += 1;
      const state = Annotation.Root({
        n: Annotation({ reducer: (_: number, n: number) => n, default: () => 0 }),
      });
      const graph = new StateGraph(state)
        .addNode('work', ({ n }) => ({ n: n + 1 }))
        .addEdge(START, 'work')
        .addConditionalEdges('work', ({ n }) => (n < visits ? 'work' : END))
        .compile({ checkpointer: saver ?? new MemorySaver() });
      const configurable = { thread_id: `bench-${runs}` };
      // Each checkpoint is on disk before the next visit begins, as a step's is here.
      await graph.invoke({ n: 0 }, { configurable, recursionLimit: visits + 10, durability: 'sync' });
    },
  };
}
