import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SourceName, sourceNames } from '@nexus/plugin-sdk';
import { findPostgres, startPostgres } from '@nexus/store/postgres-server';
import { describe, expect, it } from 'vitest';
import { bundleProgram } from '../../../../vitest.programs.ts';
import { sources } from '../../src/sources/sources.ts';
import type { Asked, Told } from '../asking.ts';

const CHILD = new URL('../asking-child.ts', import.meta.url);
const SIZE = 8;
const TEN_MINUTES_MS = 600_000;
/** Between two looks at the clock of all; a request of arXiv takes two of them. */
const TICK_MS = 1_000;
const ARXIV_TICKS = 2;

async function say(child: ChildProcess, asked: Asked): Promise<Told> {
  const answered = once(child, 'message');
  child.send(asked);
  const [told] = (await answered) as [Told];
  if (told.failed !== undefined) throw new Error(told.failed);
  return told;
}

/** When the source was asked, by whichever of the processes, and how many asked at a time at most. */
async function tenMinutes(team: readonly ChildProcess[], source: SourceName) {
  const given: number[] = [];
  const under = new Map<ChildProcess, { id: string; since: number }>();
  let most = 0;
  for (let at = 0; at < TEN_MINUTES_MS; at += TICK_MS) {
    const told = await Promise.all(
      team.map(async (child) => {
        const held = under.get(child);
        const isOver = held !== undefined && at - held.since >= ARXIV_TICKS * TICK_MS;
        if (held && !isOver) return {};
        if (held) under.delete(child);
        return say(child, { at: 1_000_000 + at, source, over: held?.id });
      }),
    );
    for (const [index, { given: id }] of told.entries()) {
      const child = team[index];
      if (id === undefined || !child) continue;
      given.push(at);
      under.set(child, { id, since: at });
    }
    most = Math.max(most, under.size);
  }
  return { given, most };
}

describe.skipIf(!findPostgres())('eight processes on one Postgres, in ten minutes', () => {
  it.each(sourceNames)('ask %s no faster than one alone would', { timeout: 300_000 }, async (source) => {
    const postgres = await startPostgres(findPostgres() ?? '');
    const dataDir = mkdtempSync(join(tmpdir(), 'nexus-eight-'));
    const program = await bundleProgram(CHILD);
    const databaseUrl = await postgres.createSchema();
    const team = Array.from({ length: SIZE }, () => fork(program, ['test', dataDir, databaseUrl]));
    try {
      const { given, most } = await tenMinutes(team, source);
      const { intervalMs, oneForMs } = sources[source].pace;
      const gaps = given.slice(1).map((at, index) => at - (given[index] ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(intervalMs);
      if (oneForMs !== undefined) expect(most).toBe(1);
      // And no slower than the pace allows, at looks a second apart.
      const least = Math.max(Math.ceil(intervalMs / TICK_MS), oneForMs === undefined ? 1 : ARXIV_TICKS + 1);
      expect(given.length).toBeGreaterThan((TEN_MINUTES_MS / TICK_MS / least) * 0.9);
    } finally {
      for (const child of team) child.disconnect();
      await Promise.all(team.map((child) => child.exitCode ?? once(child, 'exit')));
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
