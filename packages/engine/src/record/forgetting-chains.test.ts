import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecord, type RecordUnderTest } from '../../test/record-of-runs.ts';
import { forgetOld } from './forgetting.ts';
import type { RunRow } from './tables.ts';

const DAY_MS = 86_400_000;
let record: RecordUnderTest;
beforeAll(async () => {
  record = await openRecord();
});
afterAll(() => record[Symbol.asyncDispose]());
beforeEach(() => record.on.db.deleteFrom('runs_runs').execute());

/** A run that ended so many days ago, and is kept for 30. */
const put = (id: string, agoDays: number, more: Partial<RunRow> = {}) =>
  record.put({
    ...{ id, status: 'failed', ended_at: Date.now() - agoDays * DAY_MS, keep_ms: 30 * DAY_MS },
    ...more,
  });
const left = async () =>
  (await record.on.db.selectFrom('runs_runs').select('id').orderBy('id').execute()).map(({ id }) => id);

describe('runs that go on from one another', () => {
  it('are forgotten together, once the last that was needed of them is', async () => {
    await put('a', 50, { goes_on_in: 'b' });
    await put('b', 40, { goes_on_in: 'c' });
    await put('c', 20);
    await put('alone', 40);
    await forgetOld(record.on);
    expect(await left()).toEqual(['a', 'b', 'c']);
    await forgetOld(record.on, { days: 10 });
    expect(await left()).toEqual([]);
  });

  it('stay where the first was read lately, and the last is past its time', async () => {
    await put('a', 50, { goes_on_in: 'b', read_at: Date.now() - DAY_MS });
    await put('b', 40);
    await forgetOld(record.on);
    expect(await left()).toEqual(['a', 'b']);
  });

  it('stay for as long as one of them waits, with what it goes on from', async () => {
    await put('a', 90, { goes_on_in: 'b' });
    await record.put({ id: 'b', status: 'waiting', keep_ms: 30 * DAY_MS });
    await forgetOld(record.on, { families: 0, bytes: 0 });
    expect(await left()).toEqual(['a', 'b']);
  });

  it.each([{ families: 1 }, { bytes: 10 }])('go together where there are too many: %o', async (limit) => {
    await put('a', 5, { goes_on_in: 'b', bytes: 5 });
    await put('b', 3, { bytes: 5 });
    await put('later', 2, { bytes: 5 });
    await forgetOld(record.on, limit);
    expect(await left()).toEqual(['later']);
  });

  it('count once, however many they are: they push nothing else out', async () => {
    await put('a', 5, { goes_on_in: 'b' });
    await put('b', 4, { goes_on_in: 'c' });
    await put('c', 1);
    await put('other', 3);
    await forgetOld(record.on, { families: 2 });
    expect(await left()).toEqual(['a', 'b', 'c', 'other']);
    await forgetOld(record.on, { families: 1 });
    expect(await left()).toEqual(['a', 'b', 'c']);
  });

  it('are forgotten also where two families go on in each other', async () => {
    await put('one', 40);
    await put('first', 40, { root_id: 'one', goes_on_in: 'second' });
    await put('two', 40);
    await put('second', 40, { root_id: 'two', goes_on_in: 'third' });
    await put('third', 40, { root_id: 'one' });
    await forgetOld(record.on);
    expect(await left()).toEqual([]);
  });

  it.each<[string, Partial<RunRow>, string[]]>([
    ['is gone on with', { goes_on_in: 'new' }, ['a', 'new']],
    ['was read', { read_at: Date.now() }, ['a', 'new']],
    ['goes on itself', { ended_at: null, status: 'running' }, ['a', 'new']],
    ['is as it was', {}, ['new']],
  ])('are looked at again as they are forgotten: one that %s', async (_, change, stay) => {
    await put('a', 40);
    const { on } = record;
    let isFirst = true;
    await forgetOld({
      ...on,
      async write(work) {
        if (isFirst) {
          isFirst = false;
          await put('new', 1);
          await on.db
            .updateTable('runs_runs')
            .set({ updated_at: 1, ...change })
            .where('id', '=', 'a')
            .execute();
        }
        return on.write(work);
      },
    });
    expect(await left()).toEqual(stay);
  });
});
