import { setTimeout as sleep } from 'node:timers/promises';
import { createStore } from '@nexus/store';
import { createEngine } from '../src/index.ts';
import { define } from './define.ts';
import { stoppedKind } from './stopped-kind.ts';

/** A process that stops itself while its run is in the middle of a step, and tells in the end what that came to. */
const [projectId = '', dataDir = '', databaseUrl = '', goFile = ''] = process.argv.slice(2);
const store = createStore({ projectId, dataDir, databaseUrl: databaseUrl === '-' ? undefined : databaseUrl });
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const { signal } = new AbortController();
const engine = createEngine({
  store,
  log: quiet,
  shutdown: signal,
  tools: () => {
    throw new Error('no tools');
  },
  rerun: () => Promise.reject(new Error('no jobs')),
  onUpdated() {},
});
define(engine, stoppedKind({ by: 'the first', goFile }));
const { id } = await engine.runs.start({ name: 'stopped.run', version: 1 }, null);
while ((await engine.runs.get(id)).steps.length === 0) await sleep(10);
await stopBetweenWrites();
const run = await engine.runs.wait(id, { signal });
process.stdout.write(`${JSON.stringify(run.output)}\n`);
await engine.stop(1_000);
await store.close();

/**
 * Wherever else it was stopped, it could be in the middle of a write, and nobody would get past its lock: of
 * SQLite there is one for all. A transaction that only reads waits for the one before, and holds none.
 */
async function stopBetweenWrites(): Promise<void> {
  const { on } = await engine.open();
  await on.db
    .transaction()
    .setAccessMode('read only')
    .execute(async () => {
      process.kill(process.pid, 'SIGSTOP');
    });
}
