import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findPostgres, startPostgres } from '@nexus/testing';
import type { Figure, Measure } from '../figure.ts';
import { inRehearsal } from '../rehearsal.ts';
import { median } from '../statistics.ts';
import { makeScratch, type Scratch } from '../subjects.ts';

const ROUNDS = inRehearsal(1, 7);
const config = {
  plugins: [fileURLToPath(new URL('../fixtures/held-run-plugin.mjs', import.meta.url))],
};

export const takeOver: Measure = {
  name: 'take-over',
  method: `From \`kill -9\` of the process that is in the step of a run until another one is in it: a bridge of the same project, on SQLite, and a server of another checkout on the same Postgres; median of ${ROUNDS}, each with processes of its own.`,
  run: async () => [await byBridge(), ...(await byAnotherMachine())],
};

async function byBridge(): Promise<Figure> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    using scratch = makeScratch(config);
    took.push(await once(scratch, scratch));
  }
  return figure('A bridge goes on with a dead server’s run', took);
}

/** Nothing where there is no Postgres. */
async function byAnotherMachine(): Promise<Figure[]> {
  const binaries = findPostgres();
  if (!binaries) return [];
  const postgres = await startPostgres(binaries);
  try {
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const env = { NEXUS_DATABASE_URL: await postgres.createSchema(), NEXUS_PROJECT_ID: `held-${round}` };
      using here = makeScratch(config, env);
      using there = makeScratch(config, env);
      took.push(await once(here, there));
    }
    return [figure('Another machine goes on with a dead server’s run', took)];
  } finally {
    await postgres.stop();
  }
}

const figure = (what: string, took: readonly number[]): Figure => ({
  what,
  unit: 'ms',
  nexus: median(took),
  target: { of: 'value', atMost: 2_000 },
});

async function once(first: Scratch, second: Scratch): Promise<number> {
  const file = join(first.projectDir, 'held.txt');
  const owner = await first.startShared();
  const next = await second.startShared();
  await owner.request('tools/call', { name: 'hold', arguments: { file } });
  await inStep(file, 1);
  const startedAt = performance.now();
  process.kill(owner.pid, 'SIGKILL');
  await inStep(file, 2);
  const tookMs = performance.now() - startedAt;
  await next.stop();
  return tookMs;
}

/** Until so many processes have been in the step. */
async function inStep(file: string, count: number): Promise<void> {
  for (;;) {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
    if (lines >= count) return;
    await sleep(2);
  }
}
