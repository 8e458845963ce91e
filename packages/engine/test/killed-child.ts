import { createStore, type OpenStore } from '@nexus/store';
import { createEngine } from '../src/index.ts';
import { define } from './define.ts';
import { jobCall, killedCalls, killedKinds } from './killed-kinds.ts';

/** A process that starts a run, or a job, and kills itself at its nth moment of a sort. */
const [what = '', projectId = '', dataDir = '', databaseUrl = '', file = '', dieAt = ''] =
  process.argv.slice(2);
const moments = { write: 0, told: 0, paid: 0 };
const real = createStore({ projectId, dataDir, databaseUrl: databaseUrl === '-' ? undefined : databaseUrl });

function mark(sort: keyof typeof moments): void {
  moments[sort] += 1;
  if (`${sort} ${moments[sort]}` === dieAt) process.kill(process.pid, 'SIGKILL');
}

const store: OpenStore = {
  ...real,
  async open(...where) {
    return watched(await real.open(...where)) as never;
  },
};

interface Tables {
  transaction(): { execute(work: never): Promise<unknown> };
  withoutPlugins(): Tables;
}

/** Tables whose transactions are counted, and so are those of what is made of them. */
function watched(db: Tables): Tables {
  return new Proxy(db, {
    get(target, key) {
      if (key === 'transaction') return () => ({ execute: counted(target) });
      if (key === 'withoutPlugins') return () => watched(target.withoutPlugins());
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function counted(db: Tables) {
  return async (work: never) => {
    const result = await db.transaction().execute(work);
    mark('write');
    return result;
  };
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const engine = createEngine({
  store,
  log: quiet,
  shutdown: new AbortController().signal,
  onUpdated() {},
  ...killedCalls(file, () => engine.runs),
});
const kinds = killedKinds(file, { onTold: () => mark('told'), onPaid: () => mark('paid') });
for (const kind of kinds) define(engine, kind);
const { signal } = new AbortController();
if (what === 'job') {
  const job = { tool: 'work', arguments: {}, sessionId: 's', mayRunTwice: true };
  const started = await engine.jobs.start({ ...job, run: () => jobCall(file) });
  await engine.jobs.outcome(started.job.jobId, { signal });
} else {
  const name = what === 'paid' ? 'killed.paid' : 'killed.parent';
  const { id } = await engine.runs.start({ name, version: 1 }, null, { key: 'once' });
  await engine.runs.wait(id, { signal });
}
process.stdout.write(`${JSON.stringify(moments)}\n`);
await engine.stop(1_000);
await real.close();
