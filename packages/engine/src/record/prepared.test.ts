import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRecord, type RecordUnderTest } from '../../test/record-of-runs.ts';
import { prepared, shaped } from './prepared.ts';
import type { RunDatabase } from './run-database.ts';

let record: RecordUnderTest;
/** The record, whose clock stands still. */
let on: RunDatabase;
beforeEach(async () => {
  record = await openRecord();
  const node = record.on.store.now.toOperationNode();
  const now = { expressionType: undefined, toOperationNode: () => node };
  on = { ...record.on, store: Object.create(record.on.store, { now: { value: now } }) };
  for (const id of ['a', 'b', 'c']) await record.put({ id, title: `of ${id}` });
});
afterEach(() => record[Symbol.asyncDispose]());

let builds = 0;
beforeEach(() => {
  builds = 0;
});

const titled = prepared<{ title: string }>((db, slot) => {
  builds += 1;
  return db.selectFrom('runs_runs').select('id').where('title', '=', slot('title'));
});

const among = shaped<{ ids: readonly string[]; title?: string | undefined; isLast?: boolean; most: number }>(
  (db, { ids, title, isLast, most }) => {
    builds += 1;
    return db
      .selectFrom('runs_runs')
      .select('id')
      .$if(ids.length > 0, (query) => query.where('id', 'in', ids))
      .$if(title !== undefined, (query) => query.where('title', '=', title ?? ''))
      .orderBy('id', isLast ? 'desc' : 'asc')
      .limit(most);
  },
);

const ids = ({ rows }: { rows: unknown[] }) => (rows as { id: string }[]).map(({ id }) => id);

it('a statement is put together once, and takes other values each time', async () => {
  expect(ids(await titled(on.db, on, { title: 'of a' }))).toEqual(['a']);
  expect(ids(await titled(on.db, on, { title: 'of c' }))).toEqual(['c']);
  expect(builds).toBe(1);
});

it('a statement whose text depends on its values is put together once for each shape of them', async () => {
  const found = async (values: Parameters<typeof among>[2]) => ids(await among(on.db, on, values));
  expect(await found({ ids: ['a', 'b'], most: 9 })).toEqual(['a', 'b']);
  expect(await found({ ids: ['c', 'b'], most: 1 })).toEqual(['b']);
  expect(builds).toBe(1);
  expect(await found({ ids: ['c', 'b', 'a'], most: 9 })).toEqual(['a', 'b', 'c']);
  expect(await found({ ids: [], most: 9 })).toEqual(['a', 'b', 'c']);
  expect(await found({ ids: [], most: 9, title: 'of b' })).toEqual(['b']);
  expect(await found({ ids: [], most: 9, isLast: true })).toEqual(['c', 'b', 'a']);
  expect(await found({ ids: [], most: 9, isLast: false })).toEqual(['a', 'b', 'c']);
  expect(builds).toBe(6);
  expect(await found({ ids: [], most: 9, title: undefined })).toEqual(['a', 'b', 'c']);
  expect(builds).toBe(6);
});

it('no more shapes of a statement are kept than some, those that were used last', async () => {
  const of = (count: number) => among(on.db, on, { ids: Array.from({ length: count }, () => 'a'), most: 1 });
  for (let count = 1; count <= 50; count += 1) await of(count);
  await of(1);
  await of(51);
  const before = builds;
  await of(1);
  expect(builds).toBe(before);
  await of(2);
  expect(builds).toBe(before + 1);
});

it('a statement is put together anew for another time of a test’s clock', async () => {
  await titled(on.db, on, { title: 'of a' });
  const store = Object.create(on.store, { now: { value: sql<number>`5` } });
  await titled(on.db, { ...on, store }, { title: 'of a' });
  expect(builds).toBe(2);
});
