import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStore } from '@nexus/store';
import { findPostgres, type PostgresServer, startPostgres } from '@nexus/store/postgres-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBudgets, type Turn } from './budgets.ts';

const idOf = (turn: Turn | undefined) => (turn?.isGiven ? turn.id : 'none');

const binaries = findPostgres();
if (!binaries) console.warn('No Postgres on this machine: turns of sources are tested on SQLite alone.');
let server: PostgresServer | undefined;
beforeAll(async () => {
  server = binaries === undefined ? undefined : await startPostgres(binaries);
});
afterAll(() => server?.stop());

const dialects = ['SQLite', ...(binaries === undefined ? [] : ['Postgres'])];

/** Turns as so many processes ask for them, on one store and one clock that the test moves. */
async function teamOf(dialect: string, size: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'nexus-budgets-'));
  let now = 1_000_000;
  const place = {
    projectId: 'test',
    dataDir,
    databaseUrl: dialect === 'Postgres' ? await server?.createSchema() : undefined,
    testClock: () => now,
  };
  const stores = Array.from({ length: size }, () => createStore(place));
  return {
    team: stores.map((store) => createBudgets(store)),
    pass(ms: number) {
      now += ms;
    },
    now: () => now,
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

describe.each(dialects)('turns of a source on %s', (dialect) => {
  it('come no faster than its pace, for eight processes together and two minutes', async () => {
    await using under = await teamOf(dialect, 8);
    const given: number[] = [];
    for (let at = 0; at < 120_000; at += 1_000) {
      const turns = await Promise.all(under.team.map((each) => each.take('arxiv', { intervalMs: 3_000 })));
      given.push(...turns.flatMap((turn) => (turn.isGiven ? [under.now()] : [])));
      under.pass(1_000);
    }
    expect(given).toHaveLength(40);
    expect(given.every((at, index) => index === 0 || at - (given[index - 1] ?? 0) >= 3_000)).toBe(true);
  });

  it('are one at a time where it has one connection, until the request is over or nobody ends it', async () => {
    await using under = await teamOf(dialect, 2);
    const [one, two] = under.team;
    const pace = { intervalMs: 10, oneForMs: 60_000 };
    const first = await one?.take('arxiv', pace);
    expect(first).toMatchObject({ isGiven: true });
    under.pass(1_000);
    expect(await two?.take('arxiv', pace)).toEqual({ isGiven: false, inMs: 59_000 });
    await one?.done('arxiv', idOf(first), {});
    expect(await two?.take('arxiv', pace)).toMatchObject({ isGiven: true });
    under.pass(60_000);
    expect(await one?.take('arxiv', pace)).toMatchObject({ isGiven: true });
  });

  it('are as many as it said are left, until it said that there are more', async () => {
    await using under = await teamOf(dialect, 2);
    const [one, two] = under.team;
    const pace = { intervalMs: 0 };
    const turn = await one?.take('github', pace);
    await one?.done('github', idOf(turn), { remaining: 2, resetsInMs: 60_000 });
    expect(await two?.left('github')).toEqual({ source: 'github', remaining: 2, inMs: 0 });
    const turns = [
      await one?.take('github', pace),
      await two?.take('github', pace),
      await one?.take('github', pace),
    ];
    expect(turns).toMatchObject([{ isGiven: true }, { isGiven: true }, { isGiven: false, inMs: 60_000 }]);
    under.pass(60_000);
    expect(await two?.take('github', pace)).toMatchObject({ isGiven: true });
  });

  it('are none while it asks for a pause', async () => {
    await using under = await teamOf(dialect, 1);
    const [one] = under.team;
    const turn = await one?.take('crossref', { intervalMs: 0 });
    await one?.done('crossref', idOf(turn), { pauseMs: 5_000 });
    expect(await one?.take('crossref', { intervalMs: 0 })).toEqual({ isGiven: false, inMs: 5_000 });
    expect(await one?.take('openalex', { intervalMs: 0 })).toMatchObject({ isGiven: true });
  });

  it('are one of those that are asked for at once', async () => {
    await using under = await teamOf(dialect, 8);
    const pace = { intervalMs: 0, oneForMs: 60_000 };
    const turns = await Promise.all(under.team.map((each) => each.take('arxiv', pace)));
    expect(turns.filter(({ isGiven }) => isGiven)).toHaveLength(1);
  });

  it('are not ended by a request that took longer than its turn', async () => {
    await using under = await teamOf(dialect, 2);
    const [one, two] = under.team;
    const pace = { intervalMs: 0, oneForMs: 60_000 };
    const late = await one?.take('arxiv', pace);
    under.pass(60_000);
    expect(await two?.take('arxiv', pace)).toMatchObject({ isGiven: true });
    await one?.done('arxiv', idOf(late), {});
    expect(await one?.take('arxiv', pace)).toMatchObject({ isGiven: false });
  });

  it('are kept back for an hour, or a day, whatever the source says', async () => {
    await using under = await teamOf(dialect, 1);
    const [one] = under.team;
    const turn = await one?.take('github', { intervalMs: 0 });
    await one?.done('github', idOf(turn), { pauseMs: 1e14, remaining: 0, resetsInMs: 1e33 });
    expect(await one?.left('github')).toMatchObject({ remaining: 0, inMs: 24 * 3_600_000 });
    under.pass(24 * 3_600_000);
    expect(await one?.take('github', { intervalMs: 0 })).toMatchObject({ isGiven: true });
  });
});
