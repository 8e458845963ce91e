import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '@nexus/engine';
import { defineRun, type Host, type Log } from '@nexus/plugin-sdk';
import { createStore } from '@nexus/store';
import { note, STEPS, toldBy, untilCompleted, work } from './eight-steps.ts';

/** The engine in a process of its own, with runs of eight steps. */
const { databaseUrl, file, runs } = toldBy(process.argv.slice(2));
const eight = defineRun({
  name: 'beside.eight',
  version: 1,
  async run(run: string, context) {
    let sum = 0;
    for (let step = 0; step < STEPS; step += 1)
      sum += await context.step(`s${step}`, () => work(file, run, step));
    return sum;
  },
});
const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };
const { signal } = new AbortController();
const store = createStore({
  projectId: 'beside',
  dataDir: mkdtempSync(join(tmpdir(), 'nexus-beside-')),
  databaseUrl,
});
const engine = createEngine({
  store,
  log: quiet,
  shutdown: signal,
  tools() {
    throw new Error('no tools here');
  },
  rerun: () => Promise.reject(new Error('no jobs here')),
  onUpdated() {},
});
const { name, version } = eight;
// The kind asks nothing of the host.
engine.define({ name, version, load: async () => ({ kind: eight, host: {} as Host, state: undefined }) });
await engine.adopt();
note(file, { run: '', what: 'is up' });
await Promise.all(
  runs.map((run) =>
    untilCompleted(file, run, async () => {
      const { id } = await engine.runs.start(eight, run, { key: run });
      const { status, error } = await engine.runs.wait(id, { signal });
      if (status !== 'completed') throw new Error(`${status}: ${error?.message}`);
    }),
  ),
);
// One that is only there stays; so does one whose work is done, until it is told.
setInterval(() => {}, 60_000);
