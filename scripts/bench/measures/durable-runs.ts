import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEngine, type Engine } from '@nexus/engine';
import { type AnyRunKind, defineRun, type Host, type StepContext } from '@nexus/plugin-sdk';
import { createStore, type OpenStore } from '@nexus/store';
import type { Figure, Measure } from '../figure.ts';
import { langGraphLoop } from '../langgraph.ts';
import { inRehearsal } from '../rehearsal.ts';
import { median } from '../statistics.ts';

const STEPS = inRehearsal(1, 500);
const STARTS = inRehearsal(1, 100);
const VISITS = inRehearsal(1, 2_000);
const RUNS = inRehearsal(1, 100);
const STEPS_OF_EACH = inRehearsal(1, 10);
const IDLE_MS = inRehearsal(100, 5_000);
const LANGGRAPH_VISITS = inRehearsal(1, 300);

export const durableRuns: Measure = {
  name: 'durable-runs',
  fetches: true,
  method: `The engine in the measuring process, on SQLite with full fsync, each figure on a record of its own; every step does nothing, so what is left is the checkpoint. A step is one commit, of its end and the beginning of the next, beside one of one row on the same store without an engine, in turn; median of ${STEPS}. One with a paid call has three commits: of what the call may cost, of what it cost and answered, and its own. Create to first step is the median of ${STARTS}. The graph makes ${VISITS} visits of one \`forEach\`, each with a step that is kept, and goes on in children on the way; a loop of ${LANGGRAPH_VISITS} visits, one after the other, each with its step, stands beside the same loop in LangGraph, with WAL and full fsync too; ${RUNS} runs of ${STEPS_OF_EACH} steps begin at once. The idle process has looked for runs and has one that waits; its share of a core over ${IDLE_MS / 1000} s.`,
  run: async () => [
    await stepOverhead(),
    await paidStep(),
    await createToFirstStep(),
    await graph(),
    await loop(),
    await runsAtOnce(),
    await idle(),
  ],
};

/** What a step takes beyond its work. */
async function stepOverhead(): Promise<Figure> {
  await using on = openRecord();
  const bare = await bareCommit(on.store);
  const took: number[] = [];
  const tookBare: number[] = [];
  const kind = defineRun({
    name: 'bench.steps',
    version: 1,
    async run(_: null, run) {
      for (let at = 0; at < STEPS; at += 1) {
        took.push(await timed(() => run.step(`s${at}`, () => at)));
        tookBare.push(await timed(bare));
      }
    },
  });
  await on.run(kind);
  return {
    what: 'A step of a durable run, with its checkpoint',
    unit: 'ms',
    nexus: median(took),
    against: { name: 'a bare commit on the same store', value: median(tookBare) },
    target: { of: 'value', atMost: 1 },
  };
}

/** A step whose work is one call that is paid: reserved, settled with its answer, and closed with the step. */
async function paidStep(): Promise<Figure> {
  await using on = openRecord();
  const bare = await bareCommit(on.store);
  const took: number[] = [];
  const tookBare: number[] = [];
  const kind = defineRun({
    name: 'bench.paid',
    version: 1,
    async run(_: null, run) {
      for (let at = 0; at < STEPS; at += 1) {
        const pay = async ({ ledger }: StepContext) => {
          const call = await ledger.reserve({ tokens: 100, costUsd: 0.01 }, 'A call', { at });
          await call.settle({ tokens: 50, costUsd: 0.005 }, { text: 'paid' });
          return at;
        };
        took.push(await timed(() => run.step(`s${at}`, pay)));
        tookBare.push(await timed(bare));
      }
    },
  });
  await on.run(kind);
  return {
    what: 'A step with a paid call, its answer on record when it comes',
    unit: 'ms',
    nexus: median(took),
    against: { name: 'a bare commit on the same store', value: median(tookBare) },
    target: { of: 'value', atMost: 3 },
  };
}

async function createToFirstStep(): Promise<Figure> {
  await using on = openRecord();
  let begunAt = 0;
  const kind = defineRun({
    name: 'bench.first',
    version: 1,
    run: (_: null, run) =>
      run.step('first', () => {
        begunAt = performance.now();
      }),
  });
  await on.run(kind);
  const took: number[] = [];
  for (let at = 0; at < STARTS; at += 1) {
    const startedAt = performance.now();
    await on.run(kind);
    took.push(begunAt - startedAt);
  }
  return {
    what: 'From the start of a run to its first step',
    unit: 'ms',
    nexus: median(took),
    target: { of: 'value', atMost: 5 },
  };
}

async function graph(): Promise<Figure> {
  await using on = openRecord();
  const kind = defineRun({
    name: 'bench.graph',
    version: 1,
    graph: (_: null) => ({
      nodes: {
        each: {
          forEach: () => Array.from({ length: VISITS }, (_each, at) => at),
          visit: ({ item, run }) => run.step('keep', () => item),
        },
      },
      result: ({ outputs }) => (outputs.each as number[]).length,
    }),
  });
  const tookMs = await timed(() => on.run(kind));
  return {
    what: `A visit of a graph of ${VISITS}`,
    unit: 'ms',
    nexus: tookMs / VISITS,
    target: { of: 'value', atMost: 1 },
  };
}

async function loop(): Promise<Figure> {
  await using on = openRecord();
  const kind = defineRun({
    name: 'bench.loop',
    version: 1,
    graph: (_: null) => ({
      nodes: {
        work: {
          visit: ({ visit, run }) => run.step('keep', () => visit),
          again: ({ visits }) => ((visits.work ?? 0) < LANGGRAPH_VISITS ? ['work'] : []),
          maxVisits: LANGGRAPH_VISITS,
        },
      },
    }),
  });
  const other = await langGraphLoop(on.dataDir);
  const took: number[] = [];
  const tookOther: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    took.push(await timed(() => on.run(kind)));
    tookOther.push(await timed(() => other.run(LANGGRAPH_VISITS)));
  }
  return {
    what: `A visit of a loop of ${LANGGRAPH_VISITS}`,
    unit: 'ms',
    nexus: median(took) / LANGGRAPH_VISITS,
    against: { name: other.keptBy, value: median(tookOther) / LANGGRAPH_VISITS },
    target: { of: 'ratio', atMost: 1 },
  };
}

async function runsAtOnce(): Promise<Figure> {
  await using on = openRecord();
  const kind = defineRun({
    name: 'bench.many',
    version: 1,
    async run(_: null, run) {
      for (let at = 0; at < STEPS_OF_EACH; at += 1) await run.step(`s${at}`, () => at);
    },
  });
  const tookMs = await timed(() => Promise.all(Array.from({ length: RUNS }, () => on.run(kind))));
  return {
    what: `A step of ${RUNS} runs at once`,
    unit: 'ms',
    nexus: tookMs / (RUNS * STEPS_OF_EACH),
    target: { of: 'value', atMost: 1 },
  };
}

async function idle(): Promise<Figure> {
  await using on = openRecord();
  const kind = defineRun({
    name: 'bench.waits',
    version: 1,
    run: (_: null, run) => run.sleep('night', 86_400_000),
  });
  on.define(kind);
  await on.engine.adopt();
  await on.engine.runs.start(kind, null);
  await sleep(1_000);
  const before = process.cpuUsage();
  const tookMs = await timed(() => sleep(IDLE_MS));
  const { user, system } = process.cpuUsage(before);
  return {
    what: 'A core’s share of an idle process with a run that waits',
    unit: 'share',
    nexus: (user + system) / 1000 / tookMs,
    target: { of: 'value', atMost: 0.01 },
  };
}

async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** A commit of one row. */
async function bareCommit(store: OpenStore): Promise<() => Promise<void>> {
  const db = await store.open<{ bench_rows: { id: number; text: string } }>('bench', [
    {
      name: 'bench-1',
      up: async (schema) => {
        await schema.schema
          .createTable('bench_rows')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .addColumn('text', 'text')
          .execute();
      },
    },
  ]);
  let id = 0;
  return async () => {
    id += 1;
    await db.insertInto('bench_rows').values({ id, text: 'x' }).execute();
  };
}

interface Record extends AsyncDisposable {
  readonly engine: Engine;
  readonly store: OpenStore;
  readonly dataDir: string;
  define(kind: AnyRunKind): void;
  /** A whole run, to its end. */
  run(kind: AnyRunKind): Promise<void>;
}

function openRecord(): Record {
  const dataDir = mkdtempSync(join(tmpdir(), 'nexus-bench-runs-'));
  const store = createStore({ projectId: 'bench', dataDir });
  const quiet = () => {};
  const { signal } = new AbortController();
  const engine = createEngine({
    store,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    shutdown: signal,
    tools() {
      throw new Error('no tools here');
    },
    rerun: () => Promise.reject(new Error('no jobs here')),
    onUpdated: quiet,
  });
  const known = new Set<AnyRunKind>();
  const define = (kind: AnyRunKind) => {
    if (known.has(kind)) return;
    known.add(kind);
    const { name, version } = kind;
    // The kinds here ask nothing of the host.
    engine.define({ name, version, load: async () => ({ kind, host: {} as Host, state: undefined }) });
  };
  return {
    engine,
    store,
    dataDir,
    define,
    async run(kind) {
      define(kind);
      const { id } = await engine.runs.start(kind, null);
      const { status, error } = await engine.runs.wait(id, { signal: new AbortController().signal });
      if (status !== 'completed') throw new Error(`the run ${status}: ${error?.message}`);
    },
    async [Symbol.asyncDispose]() {
      await engine.stop(1_000);
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
