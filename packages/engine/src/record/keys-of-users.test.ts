import { createStore } from '@nexus/store';
import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { newPlace } from '../../test/engine-under-test.ts';
import { keysOfUsers } from './keys-of-users.ts';
import { startKey } from './start-key.ts';

interface Before {
  readonly kind: string;
  readonly title: string;
  readonly user_id: string | null;
  readonly start_key: string | null;
}

// biome-ignore lint/suspicious/noExplicitAny: as every migration
type Database = Kysely<any>;

/** Rows of a version before, with the keys that they have once it is another. */
async function rewritten(rows: readonly Before[]): Promise<(string | null)[]> {
  await using place = newPlace(undefined);
  const store = createStore(place.location);
  const asItWas = async (db: Database) => {
    const table = db.schema.createTable('runs_runs').addColumn('id', 'text');
    const columns = ['kind', 'title', 'user_id', 'start_key'] as const;
    await columns.reduce((made, column) => made.addColumn(column, 'text'), table).execute();
    const numbered = rows.map((row, at) => ({ id: `${at}`, ...row }));
    await db.insertInto('runs_runs').values(numbered).execute();
  };
  try {
    const db: Database = await store.open('runs', [
      { name: '0001', up: asItWas },
      { name: '0002', up: keysOfUsers },
    ]);
    const found = await db.selectFrom('runs_runs').selectAll().orderBy('id').execute();
    for (const { start_digest, goes_on_in } of found)
      expect([start_digest, goes_on_in]).toEqual([null, null]);
    return found.map(({ start_key }) => start_key);
  } finally {
    await store.close();
  }
}

it('keys of a version before are each found again by their kind, their tool and their user', async () => {
  const run = { kind: 'k', title: 'any title' };
  const job = { kind: 'nexus.job', title: 'search' };
  expect(
    await rewritten([
      { ...run, user_id: null, start_key: 'k\nkey' },
      { ...run, user_id: 'ada', start_key: 'k\nkey\nada' },
      { ...run, user_id: 'ada', start_key: 'k\nkey' },
      { ...run, user_id: null, start_key: 'k\nkey\nnull' },
      { ...run, user_id: 'ada', start_key: 'k\nof ada\nmine\nada' },
      { ...job, user_id: null, start_key: 'nexus.job\nsearch\nkey' },
      { ...job, user_id: 'ada', start_key: 'nexus.job\nsearch\nkey\nada' },
      { ...run, user_id: 'ada', start_key: null },
    ]),
  ).toEqual([
    startKey(['k'], 'key'),
    startKey(['k'], 'key', 'ada'),
    startKey(['k'], 'key'),
    startKey(['k'], 'key\nnull'),
    startKey(['k'], 'of ada\nmine', 'ada'),
    startKey(['nexus.job', 'search'], 'key'),
    startKey(['nexus.job', 'search'], 'key', 'ada'),
    null,
  ]);
});
