import { hostname } from 'node:os';
import { createStore } from '@nexus/store';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../test/engine-under-test.ts';
import { openRecord, type RecordUnderTest, rowOf } from '../../test/record-of-runs.ts';
import { openRunDatabase } from './run-database.ts';
import { dismiss, enrol, otherOwner, otherOwners, ownedRuns, renew } from './workers.ts';

let record: RecordUnderTest;
beforeAll(async () => {
  record = await openRecord();
});
afterAll(() => record[Symbol.asyncDispose]());
beforeEach(async () => {
  await record.on.db.deleteFrom('runs_runs').execute();
  await record.on.db.deleteFrom('runs_workers').execute();
});

const workers = () => record.on.db.selectFrom('runs_workers').selectAll().orderBy('id').execute();
/** It was last heard of so long ago. */
async function seen(id: string, agoMs: number): Promise<void> {
  await record.on.db
    .updateTable('runs_workers')
    .set({ seen_at: sql<number>`${record.on.store.now} - ${sql.lit(agoMs)}` })
    .where('id', '=', id)
    .execute();
}

describe('a process with runs', () => {
  it('is known from when it enrols until it takes its leave, and its neighbours stay', async () => {
    await enrol(record.on, 'me');
    await enrol(record.on, 'other');
    const known = await workers();
    expect(known).toMatchObject(
      ['me', 'other'].map((id) => ({ id, host: hostname(), pid: process.pid, seen_at: expect.any(Number) })),
    );
    // A write whose answer was lost is made again.
    await enrol(record.on, 'me');
    expect(await workers()).toEqual(known);
    await dismiss(record.on, 'me');
    expect(await workers()).toEqual(known.slice(1));
  });

  it('says that it lives, and learns whether the others count on it', async () => {
    await enrol(record.on, 'me');
    await enrol(record.on, 'other');
    await seen('me', 90_000);
    await seen('other', 90_000);
    expect(await renew(record.on, 'me')).toBe(true);
    const [me, other] = await workers();
    expect((me?.seen_at ?? 0) - (other?.seen_at ?? 0)).toBeGreaterThan(80_000);
    expect(await renew(record.on, 'gone')).toBe(false);
    expect(await workers()).toHaveLength(2);
  });

  it('has the runs that go on in its name, and no others', async () => {
    await record.put({ id: 'mine', owner: 'me', epoch: 4 });
    await record.put({ id: 'left', owner: 'me', epoch: 2, status: 'waiting' });
    await record.put({ id: 'theirs', owner: 'other' });
    expect(await ownedRuns(record.on, 'me')).toEqual([{ id: 'mine', epoch: 4 }]);
  });
});

describe('the others that have runs', () => {
  it('are each named once, whether they were ever heard of or not', async () => {
    await record.put({ id: 'mine', owner: 'me' });
    await record.put({ id: 'one', owner: 'other' });
    await record.put({ id: 'two', owner: 'other' });
    await record.put({ id: 'ended', owner: 'past', status: 'completed' });
    await record.put({ id: 'unheard', owner: 'unheard' });
    await enrol(record.on, 'me');
    await enrol(record.on, 'idle');
    await enrol(record.on, 'other');
    const others = await otherOwners(record.on, 'me');
    expect(others.toSorted((one, other) => (one.owner < other.owner ? -1 : 1))).toEqual([
      { owner: 'other', seenAt: expect.any(Number), isRecent: true, isComingBack: false },
      { owner: 'unheard', seenAt: null, isRecent: false, isComingBack: false },
    ]);
  });

  it.each([
    [25_000, true],
    [31_000, false],
  ])('were heard of lately where it was within half a minute: %d ms ago, %s', async (agoMs, isRecent) => {
    await record.put({ id: 'one', owner: 'other' });
    await enrol(record.on, 'other');
    await seen('other', agoMs);
    expect(await otherOwners(record.on, 'me')).toMatchObject([
      { owner: 'other', isRecent, isComingBack: false },
    ]);
  });

  it.each([
    { age: 29_999, store_age: null, isRecent: true, isComingBack: false },
    { age: 30_000, store_age: null, isRecent: false, isComingBack: false },
    { age: '40000', store_age: '9999.9', isRecent: false, isComingBack: true },
    { age: 20_000, store_age: 9_999, isRecent: true, isComingBack: true },
    { age: 40_000, store_age: 10_000, isRecent: false, isComingBack: false },
    { age: 5_000, store_age: 5_000, isRecent: true, isComingBack: false },
    { age: 3_000, store_age: 5_000, isRecent: true, isComingBack: false },
    { age: null, store_age: 5_000, isRecent: false, isComingBack: false },
  ])('come back where the store began again since they were heard of, and just now: %o', (each) => {
    const { age, store_age, ...said } = each;
    expect(otherOwner({ owner: 'other', seen_at: '7', age, store_age })).toEqual({
      owner: 'other',
      seenAt: 7,
      ...said,
    });
  });
});

// The embedded one goes with nobody's process.
describe.each(databases.filter(({ name }) => name === 'Postgres'))(
  'a store that is a process, $name',
  ({ place }) => {
    it('says how long it has been there', async () => {
      await using data = place();
      const store = createStore(data.location);
      const on = await openRunDatabase(store);
      await enrol(on, 'other');
      await on.db.updateTable('runs_workers').set({ seen_at: 1 }).execute();
      await on.db
        .insertInto('runs_runs')
        .values(rowOf({ id: 'one', owner: 'other' }))
        .execute();
      const isNew = async () => {
        const age = sql<{
          ms: number;
        }>`select extract(epoch from now() - pg_postmaster_start_time()) * 1000 as ms`;
        return Number((await age.execute(on.db)).rows[0]?.ms) < 10_000;
      };
      const before = await isNew();
      const [other] = await otherOwners(on, 'me');
      expect([before, await isNew()]).toContain(other?.isComingBack);
      await store.close();
    });
  },
);
