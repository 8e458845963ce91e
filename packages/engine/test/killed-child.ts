import { createStore, type OpenStore } from '@nexus/store';
import { createEngine } from '../src/index.ts';
import { define } from './define.ts';
import { jobCall, killedCalls, killedKinds } from './killed-kinds.ts';

/** A process that starts a run, or a job, and kills itself right after its nth write. */
const [what = '', projectId = '', dataDir = '', databaseUrl = '', file = '', dieAfter = '0'] =
  process.argv.slice(2);
const real = createStore({ projectId, dataDir, databaseUrl: databaseUrl === '-' ? undefined : databaseUrl });
let writes = 0;

const store: OpenStore = {
  ...real,
  async open(...where) {
    const db = await real.open(...where);
    return new Proxy(db, {
      get(target, key) {
        if (key === 'transaction') return () => ({ execute: counted(target) });
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }) as never;
  },
};

function counted(db: { transaction(): { execute(work: never): Promise<unknown> } }) {
  return async (work: never) => {
    const result = await db.transaction().execute(work);
    writes += 1;
    if (writes === Number(dieAfter)) process.kill(process.pid, 'SIGKILL');
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
for (const kind of killedKinds(file)) define(engine, kind);
const { signal } = new AbortController();
if (what === 'job') {
  const job = { tool: 'work', arguments: {}, sessionId: 's', mayRunTwice: true };
  const started = await engine.jobs.start({ ...job, run: () => jobCall(file) });
  await engine.jobs.outcome(started.job.jobId, { signal });
} else {
  const { id } = await engine.runs.start({ name: 'killed.parent', version: 1 }, null, { key: 'once' });
  await engine.runs.wait(id, { signal });
}
process.stdout.write(`ended after ${writes} writes\n`);
await engine.stop(1_000);
await real.close();
