import { createStore } from '@nexus/store';
import { createEngine } from '../src/index.ts';
import { define } from './define.ts';
import { stoppedKind } from './stopped-kind.ts';

/** A process whose run is in the middle of a step until a file is there, and that tells what it came to. */
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
define(engine, stoppedKind({ by: 'the first', goFile, begun: () => process.stdout.write('begun\n') }));
const { id } = await engine.runs.start({ name: 'stopped.run', version: 1 }, null);
const run = await engine.runs.wait(id, { signal });
process.stdout.write(`${JSON.stringify(run.output)}\n`);
await engine.stop(1_000);
await store.close();
