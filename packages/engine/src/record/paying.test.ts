import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecord, type RecordUnderTest } from '../../test/record-of-runs.ts';
import { LostRun, type RunToken } from './fence.ts';
import {
  addSizeOfAnswers,
  callsOnRecord,
  closeCalls,
  confirmOwner,
  isCallOpen,
  keepArrived,
  leaveCall,
  reserve,
  settle,
  takePaid,
} from './paying.ts';
import type { SpendingRow } from './tables.ts';

let record: RecordUnderTest;
beforeAll(async () => {
  record = await openRecord();
});
afterAll(() => record[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const table of ['runs_runs', 'runs_spending'] as const) {
    await record.on.db.deleteFrom(table).execute();
  }
  await record.put({ id: 'root', owner: 'me', epoch: 2 });
});

const token: RunToken = { runId: 'root', owner: 'me', epoch: 2 };
const payer = { rootId: 'root', runId: 'root', step: 'ask' };
const asked = (id: string, more: Partial<Parameters<typeof reserve>[2]> = {}) => ({
  ...payer,
  ...{ id, digest: `of ${id}`, estimate: { tokens: 10.2, costUsd: 0.1 }, ...more },
});
const RESERVED = { is: 'reserved', arrived: null };
const spent = { tokens: 7.5, costUsd: 0.05 };

async function call(id: string): Promise<SpendingRow> {
  return record.on.db.selectFrom('runs_spending').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}
/** What calls there are, by the step that they are of. */
const open = async () =>
  (await record.on.db.selectFrom('runs_spending').select('id').where(isCallOpen).orderBy('id').execute()).map(
    ({ id }) => id,
  );

describe('a call of a run that its owner has', () => {
  it('is set aside at the most that it may cost', async () => {
    expect(await reserve(record.on, token, asked('a'))).toEqual(RESERVED);
    expect(await call('a')).toEqual({
      ...{ id: 'a', root_id: 'root', run_id: 'root', step: 'ask', digest: 'of a', answer: null },
      ...{ tokens: 11, micros: 100_000, epoch: 2, is_settled: 0, is_kept: 0, interrupted: 0 },
      ...{ input_tokens: 0, output_tokens: 0, cached_tokens: 0, is_unpriced: 0, is_estimated: 0 },
    });
    await confirmOwner(record.on, token);
  });

  it('is not made where the run is another’s', async () => {
    const lost = { ...token, epoch: 1 };
    await expect(reserve(record.on, lost, asked('a'))).rejects.toThrow(LostRun);
    await expect(confirmOwner(record.on, lost)).rejects.toThrow(LostRun);
    expect(await open()).toEqual([]);
  });

  it('takes the place of the same call of an owner before, with what had come of it', async () => {
    await reserve(record.on, token, asked('a'));
    await keepArrived(record.on, { id: 'a', epoch: 2, answer: '"half"' });
    await record.on.db.updateTable('runs_runs').set({ epoch: 3 }).execute();
    const again = asked('a', { estimate: { tokens: 20, costUsd: 0.3 }, digest: 'of another' });
    expect(await reserve(record.on, { ...token, epoch: 3 }, again)).toEqual({
      is: 'reserved',
      arrived: '"half"',
    });
    expect(await call('a')).toMatchObject({
      ...{ epoch: 3, tokens: 20, micros: 300_000, digest: 'of a', interrupted: 0 },
    });
  });

  it('that is made again counts the one before, of which nothing had come', async () => {
    await reserve(record.on, token, asked('a'));
    for (const epoch of [3, 4]) {
      await record.on.db.updateTable('runs_runs').set({ epoch }).execute();
      await reserve(record.on, { ...token, epoch }, asked('a'));
    }
    await settle(record.on, { id: 'a', epoch: 4, spent, answer: null });
    expect(await call('a')).toMatchObject({ interrupted: 2, is_settled: 1 });
  });

  it('is answered where it was so since the record was read, and stays as it was paid', async () => {
    await reserve(record.on, token, asked('a'));
    await settle(record.on, { id: 'a', epoch: 2, spent, answer: '"done"' });
    const before = await call('a');
    expect(await reserve(record.on, token, asked('a'))).toEqual({ is: 'answered', answer: '"done"' });
    expect(await call('a')).toEqual(before);
  });

  it('that is reserved by a write whose answer was lost is not counted beside itself', async () => {
    await record.on.db.updateTable('runs_runs').set({ cap_tokens: 15 }).execute();
    const twice = {
      ...record.on,
      write: async <T>(work: (trx: never, isAgain: boolean) => Promise<T>): Promise<T> => {
        await record.on.write((trx) => work(trx as never, false));
        return record.on.write((trx) => work(trx as never, true));
      },
    } as RecordUnderTest['on'];
    expect(await reserve(twice, token, asked('a'))).toEqual(RESERVED);
    expect(await reserve(record.on, token, asked('b'))).toMatchObject({ is: 'over' });
    // What was undone, or is another owner's, is not taken for it.
    const again = {
      ...record.on,
      write: <T>(work: (trx: never, isAgain: boolean) => Promise<T>) =>
        record.on.write((trx) => work(trx as never, true)),
    } as RecordUnderTest['on'];
    await record.on.db.updateTable('runs_runs').set({ cap_tokens: null }).execute();
    expect(await reserve(again, token, asked('b'))).toEqual(RESERVED);
    await settle(record.on, { id: 'b', epoch: 2, spent, answer: '"b"' });
    expect(await reserve(again, token, asked('b'))).toEqual({ is: 'answered', answer: '"b"' });
    await record.on.db.updateTable('runs_runs').set({ epoch: 3 }).execute();
    await reserve(again, { ...token, epoch: 3 }, asked('a'));
    expect((await call('a')).epoch).toBe(3);
  });
});

describe('a cap', () => {
  const cap = (columns: object, id = 'root') =>
    record.on.db.updateTable('runs_runs').set(columns).where('id', '=', id).execute();

  it('keeps out what would pass it, and says whether it may fit once the calls in flight are over', async () => {
    await cap({ cap_tokens: 25, cap_micros: 10_000_000 });
    expect(await reserve(record.on, token, asked('a'))).toEqual(RESERVED);
    expect(await reserve(record.on, token, asked('b'))).toEqual(RESERVED);
    const over = await reserve(record.on, token, asked('c'));
    expect(over).toMatchObject({
      is: 'over',
      spending: { spent: { tokens: 0 }, reserved: { tokens: 22 } },
      cap: { tokens: 25, costUsd: 10 },
      mayFit: true,
    });
    expect(await open()).toEqual(['a', 'b']);
    await settle(record.on, { id: 'a', epoch: 2, spent: { tokens: 20, costUsd: 0 }, answer: null });
    expect(await reserve(record.on, token, asked('c'))).toMatchObject({ is: 'over', mayFit: false });
  });

  it('lets pass what is paid for already', async () => {
    await cap({ cap_tokens: 1 });
    expect(await reserve(record.on, token, asked('a', { isPaid: true }))).toEqual(RESERVED);
    expect((await call('a')).tokens).toBe(11);
    expect(await reserve(record.on, token, asked('b'))).toMatchObject({ is: 'over' });
  });

  it('of money keeps out what has no price, and one of tokens does not', async () => {
    const unpriced = asked('a', { estimate: { tokens: 1, costUsd: 0, isUnpriced: true } });
    await cap({ cap_micros: 5_000_000 });
    expect(await reserve(record.on, token, unpriced)).toEqual({ is: 'unpriced', cap: { costUsd: 5 } });
    expect(await open()).toEqual([]);
    expect(await reserve(record.on, token, asked('priced'))).toEqual(RESERVED);
    await cap({ cap_micros: null, cap_tokens: 100 });
    expect(await reserve(record.on, token, unpriced)).toEqual(RESERVED);
  });

  it('of a run counts what is below it, and one above it counts as well', async () => {
    await record.put({ id: 'child', root_id: 'root', parent_id: 'root', owner: 'me', epoch: 2 });
    await record.put({ id: 'beside', root_id: 'root', parent_id: 'root', owner: 'me', epoch: 2 });
    await cap({ cap_tokens: 30 });
    await cap({ cap_tokens: 15 }, 'child');
    const of = (id: string, runId: string) =>
      reserve(record.on, { ...token, runId }, { ...asked(id), runId });
    expect(await of('a', 'child')).toEqual(RESERVED);
    expect(await of('b', 'child')).toMatchObject({ is: 'over', cap: { tokens: 15 } });
    expect(await of('c', 'beside')).toEqual(RESERVED);
    expect(await of('d', 'beside')).toMatchObject({ is: 'over', cap: { tokens: 30 } });
  });

  it('says what its whole family has spent and set aside, whichever of its runs has the cap', async () => {
    await record.put({ id: 'child', root_id: 'root', parent_id: 'root', owner: 'me', epoch: 2 });
    await cap({ cap_tokens: 15 }, 'child');
    const child = { ...token, runId: 'child' };
    await reserve(record.on, child, { ...asked('a'), runId: 'child' });
    await reserve(record.on, token, asked('b'));
    await reserve(record.on, token, asked('open'));
    for (const id of ['a', 'b']) await settle(record.on, { id, epoch: 2, spent, answer: null });
    expect(await reserve(record.on, child, { ...asked('c'), runId: 'child' })).toMatchObject({
      ...{ is: 'over', spending: { spent: { tokens: 8 } }, ofFamily: { tokens: 27, costUsd: 0.2 } },
    });
  });

  it('that is none keeps out nothing, of whatever price', async () => {
    const unpriced = asked('a', { estimate: { tokens: 1e9, costUsd: 0, isUnpriced: true } });
    expect(await reserve(record.on, token, unpriced)).toEqual(RESERVED);
  });

  it('has the family’s first run held while it is looked at, and without one it is left alone', async () => {
    await record.put({ id: 'child', root_id: 'root', parent_id: 'root', owner: 'me', epoch: 2 });
    const child = { ...token, runId: 'child' };
    await reserve(record.on, child, { ...asked('a'), runId: 'child' });
    expect((await record.row('root')).updated_at).toBe(1);
    await cap({ cap_tokens: 100 });
    await reserve(record.on, child, { ...asked('b'), runId: 'child', isPaid: true });
    expect((await record.row('root')).updated_at).toBe(1);
    await reserve(record.on, child, { ...asked('c'), runId: 'child' });
    expect((await record.row('root')).updated_at).toBeGreaterThan(1);
  });
});

describe('what a call came to', () => {
  const usage = { inputTokens: 5, outputTokens: 2, cachedInputTokens: 1 };

  it('is on record as it was spent, once', async () => {
    await reserve(record.on, token, asked('a'));
    await reserve(record.on, token, asked('beside'));
    await settle(record.on, {
      ...{ id: 'a', epoch: 2, answer: '"done"' },
      spent: { ...spent, usage: { ...usage, costUsd: 0.05, isEstimated: true } },
    });
    const settled = await call('a');
    expect(settled).toMatchObject({
      ...{ tokens: 8, micros: 50_000, is_settled: 1, answer: '"done"', epoch: 2 },
      ...{ input_tokens: 5, output_tokens: 2, cached_tokens: 1, is_unpriced: 0, is_estimated: 1 },
    });
    await settle(record.on, { id: 'a', epoch: 2, spent: { tokens: 1, costUsd: 1 }, answer: '"other"' });
    expect(await call('a')).toEqual(settled);
    expect(await call('beside')).toMatchObject({ is_settled: 0, tokens: 11 });
  });

  it('says whether it had a price', async () => {
    for (const id of ['none', 'priced', 'unpriced']) await reserve(record.on, token, asked(id));
    await settle(record.on, { id: 'none', epoch: 2, spent, answer: null });
    await settle(record.on, {
      id: 'priced',
      epoch: 2,
      spent: { ...spent, usage: { ...usage, costUsd: 0 } },
      answer: null,
    });
    await settle(record.on, { id: 'unpriced', epoch: 2, spent: { ...spent, usage }, answer: null });
    expect(await call('none')).toMatchObject({
      is_unpriced: 0,
      is_estimated: 0,
      input_tokens: 0,
      output_tokens: 0,
      cached_tokens: 0,
    });
    expect((await call('priced')).is_unpriced).toBe(0);
    expect((await call('unpriced')).is_unpriced).toBe(1);
  });

  it('is not taken from an owner before whose call was made anew', async () => {
    await reserve(record.on, token, asked('a'));
    await settle(record.on, { id: 'a', epoch: 1, spent, answer: '"late"' });
    await keepArrived(record.on, { id: 'a', epoch: 1, answer: '"late"' });
    expect(await call('a')).toMatchObject({ is_settled: 0, answer: null, tokens: 11 });
  });

  it('is paid where its step is over meanwhile, and its answer is not kept', async () => {
    await reserve(record.on, token, asked('a'));
    await record.on.write((trx) => closeCalls(trx, record.on, { ...payer, answersStay: false }));
    await settle(record.on, { id: 'a', epoch: 2, spent, answer: '"late"' });
    expect(await call('a')).toMatchObject({ is_settled: 1, tokens: 8, answer: null });
  });

  it('is what nobody knows where it was interrupted while its step goes on: it holds no room any more', async () => {
    for (const id of ['a', 'beside', 'settled']) await reserve(record.on, token, asked(id));
    await settle(record.on, { id: 'settled', epoch: 2, spent, answer: '"done"' });
    const before = await Promise.all(['beside', 'settled'].map(call));
    await leaveCall(record.on, { id: 'a', epoch: 1 });
    expect(await call('a')).toMatchObject({ epoch: 2 });
    for (const id of ['a', 'settled']) await leaveCall(record.on, { id, epoch: 2 });
    expect(await call('a')).toMatchObject({ epoch: -1, is_settled: 0, tokens: 11 });
    expect(await Promise.all(['beside', 'settled'].map(call))).toEqual(before);
  });

  it('is kept as it arrives, until it is settled, of that call alone', async () => {
    await reserve(record.on, token, asked('a'));
    await reserve(record.on, token, asked('b'));
    await keepArrived(record.on, { id: 'a', epoch: 2, answer: '"half"' });
    expect([(await call('a')).answer, (await call('b')).answer]).toEqual(['"half"', null]);
    await settle(record.on, { id: 'a', epoch: 2, spent, answer: '"done"' });
    await keepArrived(record.on, { id: 'a', epoch: 2, answer: '"half"' });
    expect((await call('a')).answer).toBe('"done"');
  });
});

describe('the calls of a step', () => {
  /** One answered, one in flight, and one each of another step, run and family. */
  beforeEach(async () => {
    await record.put({ id: 'child', root_id: 'root', parent_id: 'root', owner: 'me', epoch: 2 });
    for (const id of ['z-answered', 'b-open', 'a-open']) await reserve(record.on, token, asked(id));
    await settle(record.on, { id: 'z-answered', epoch: 2, spent, answer: '"z"' });
    await reserve(record.on, token, asked('of-step', { step: 'other' }));
    await reserve(record.on, { ...token, runId: 'child' }, { ...asked('of-run'), runId: 'child' });
    await reserve(record.on, token, asked('of-family', { rootId: 'another' }));
  });

  it('are on record for who takes it up: those that were answered first', async () => {
    expect(await callsOnRecord(record.on, payer)).toEqual([
      { id: 'z-answered', digest: 'of z-answered', answer: '"z"', is_settled: 1 },
      { id: 'a-open', digest: 'of a-open', answer: null, is_settled: 0 },
      { id: 'b-open', digest: 'of b-open', answer: null, is_settled: 0 },
    ]);
  });

  it('are asked for no more once it has its end, and another step’s are', async () => {
    await record.on.write((trx) => closeCalls(trx, record.on, { ...payer, answersStay: false }));
    expect(await callsOnRecord(record.on, payer)).toEqual([]);
    expect(await call('z-answered')).toMatchObject({ answer: null, epoch: 2, is_settled: 1, tokens: 8 });
    expect(await call('a-open')).toMatchObject({ epoch: -1, is_settled: 0, tokens: 11 });
    for (const id of ['of-step', 'of-run', 'of-family']) expect((await call(id)).epoch).toBe(2);
  });

  it('of a whole run end with it', async () => {
    await record.on.write((trx) =>
      closeCalls(trx, record.on, { rootId: 'root', runId: 'root', answersStay: false }),
    );
    expect((await call('of-step')).epoch).toBe(-1);
    for (const id of ['of-run', 'of-family']) expect((await call(id)).epoch).toBe(2);
  });

  it('have their answers still where these stay, and what has no end has none', async () => {
    await keepArrived(record.on, { id: 'a-open', epoch: 2, answer: '"half"' });
    await record.on.write((trx) => closeCalls(trx, record.on, { ...payer, answersStay: true }));
    expect(await call('z-answered')).toMatchObject({ answer: '"z"', epoch: 2, is_settled: 1 });
    expect(await call('a-open')).toMatchObject({ answer: null, epoch: -1, is_settled: 0 });
    expect((await call('of-step')).epoch).toBe(2);
  });

  it('count with their answers to what their run keeps, and no other’s do', async () => {
    const settled = { epoch: 2, spent, answer: '"four"' };
    await settle(record.on, { ...settled, id: 'of-run' });
    await settle(record.on, { ...settled, id: 'of-family' });
    await settle(record.on, { ...settled, id: 'of-step' });
    await record.put({ id: 'none', bytes: 5 });
    await record.on.db.updateTable('runs_runs').set({ bytes: 100 }).where('id', '=', 'root').execute();
    for (const id of ['root', 'none']) {
      await record.on.write((trx) => addSizeOfAnswers(trx, { id, root_id: id }));
    }
    expect((await record.row('root')).bytes).toBe(100 + '"z"'.length + '"four"'.length);
    expect([(await record.row('none')).bytes, (await record.row('child')).bytes]).toEqual([5, 0]);
  });

  it('of a version before, that knew of no owners, are not taken for ones in flight', async () => {
    await record.on.db
      .updateTable('runs_spending')
      .set({ epoch: sql`0` })
      .where('id', '=', 'a-open')
      .execute();
    expect((await callsOnRecord(record.on, payer)).map(({ id }) => id)).toEqual(['z-answered', 'b-open']);
  });

  it('are open as long as they have no end, or an answer that is kept', async () => {
    expect(await open()).toEqual(['a-open', 'b-open', 'of-family', 'of-run', 'of-step', 'z-answered']);
    await settle(record.on, { id: 'a-open', epoch: 2, spent, answer: null });
    expect(await open()).not.toContain('a-open');
  });
});

describe('what a run before had paid', () => {
  const paid = async () => {
    await record.put({ id: 'before', owner: 'me', epoch: 2 });
    const of = { rootId: 'before', runId: 'before' };
    await reserve(record.on, { ...token, runId: 'before' }, asked('a', of));
    await settle(record.on, { id: 'a', epoch: 2, spent, answer: '"done"' });
    return call('a');
  };

  it('is taken by the one that goes on, once, as a call that it kept', async () => {
    const row = await paid();
    await takePaid(record.on, token, { payer, paid: { ...row, epoch: 1 } });
    const kept = { ...row, id: 'root/a', root_id: 'root', run_id: 'root', is_kept: 1, epoch: 2 };
    expect(await call('root/a')).toEqual(kept);
    await takePaid(record.on, token, { payer, paid: { ...row, answer: '"other"' } });
    expect(await call('root/a')).toEqual(kept);
    expect(await call('a')).toEqual(row);
  });

  it('is not taken where the run is another’s by now', async () => {
    const row = await paid();
    await expect(takePaid(record.on, { ...token, epoch: 1 }, { payer, paid: row })).rejects.toThrow(LostRun);
    expect(await open()).toEqual(['a']);
  });
});
