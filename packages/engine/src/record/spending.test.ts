import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecord, type RecordUnderTest } from '../../test/record-of-runs.ts';
import {
  capOf,
  cappedAbove,
  isOver,
  NO_CALLS,
  NOTHING,
  paidBySteps,
  raiseCaps,
  spendingBySteps,
  spendingOf,
  spendingOfFamily,
  spendingUnder,
} from './spending.ts';
import type { SpendingRow } from './tables.ts';

let record: RecordUnderTest;
let next = 1;
beforeAll(async () => {
  record = await openRecord();
});
afterAll(() => record[Symbol.asyncDispose]());
beforeEach(async () => {
  await record.on.db.deleteFrom('runs_runs').execute();
  await record.on.db.deleteFrom('runs_spending').execute();
});

/** A call of a run, settled if it is not said otherwise. */
async function call(run: string, more: Partial<SpendingRow> = {}): Promise<void> {
  await record.on.db
    .insertInto('runs_spending')
    .values({
      id: `call_${next++}`,
      root_id: 'root',
      run_id: run,
      step: 'step',
      ...{ tokens: 0, micros: 0, is_settled: 1, epoch: 1 },
      ...{ input_tokens: 0, output_tokens: 0, cached_tokens: 0 },
      ...{ is_unpriced: 0, is_estimated: 0, is_kept: 0, interrupted: 0, digest: null, answer: null },
      ...more,
    })
    .execute();
}

/** A first run, one below it, one below that, and one beside. */
async function family(): Promise<void> {
  await record.put({ id: 'root', cap_tokens: 1_000 });
  await record.put({ id: 'child', root_id: 'root', parent_id: 'root' });
  await record.put({ id: 'grandchild', root_id: 'root', parent_id: 'child', cap_micros: 5_000_000 });
  await record.put({ id: 'sibling', root_id: 'root', parent_id: 'root', cap_tokens: 10 });
}

const none = { tokens: 0, costUsd: 0 };

describe('a cap', () => {
  const spending = { spent: { tokens: 60, costUsd: 0.3 }, reserved: { tokens: 30, costUsd: 0.1 } };

  it.each([
    [{ cap_tokens: 100, cap_micros: null }, { tokens: 10, costUsd: 9 }, false],
    [{ cap_tokens: 100, cap_micros: null }, { tokens: 11, costUsd: 0 }, true],
    [{ cap_tokens: null, cap_micros: 600_000 }, { tokens: 999, costUsd: 0.2 }, false],
    [{ cap_tokens: null, cap_micros: 600_000 }, { tokens: 0, costUsd: 0.200001 }, true],
    [{ cap_tokens: 100, cap_micros: 600_000 }, { tokens: 10, costUsd: 0.2 }, false],
    [{ cap_tokens: 100, cap_micros: 600_000 }, { tokens: 11, costUsd: 0.2 }, true],
    [{ cap_tokens: 100, cap_micros: 600_000 }, { tokens: 10, costUsd: 0.3 }, true],
    [{ cap_tokens: 0, cap_micros: null }, { tokens: 0, costUsd: 0 }, true],
    [{ cap_tokens: null, cap_micros: null }, { tokens: 1e9, costUsd: 1e6 }, false],
  ])('of %j has room up to its last token and millionth: %j is over it, %s', (cap, estimate, over) => {
    expect(isOver(cap, spending, estimate)).toBe(over);
  });

  it('has room up to its last token where nothing is in flight', () => {
    const cap = { cap_tokens: 60, cap_micros: null };
    const idle = { spent: spending.spent, reserved: NOTHING };
    expect(isOver(cap, idle, { tokens: 0, costUsd: 0 })).toBe(false);
    expect(isOver(cap, idle, { tokens: 1, costUsd: 0 })).toBe(true);
  });

  it('is said in what it is of', () => {
    expect(capOf({ cap_tokens: 5, cap_micros: null })).toEqual({ tokens: 5 });
    expect(capOf({ cap_tokens: null, cap_micros: 250_000 })).toEqual({ costUsd: 0.25 });
    expect(capOf({ cap_tokens: 0, cap_micros: 0 })).toEqual({ tokens: 0, costUsd: 0 });
  });

  it('holds for all that is below it, and not beside it', async () => {
    await family();
    const above = async (id: string) =>
      (await cappedAbove(record.on.db, record.on, id)).map((each) => each.id).sort();
    expect(await above('grandchild')).toEqual(['grandchild', 'root']);
    expect(await above('child')).toEqual(['root']);
    expect(await above('sibling')).toEqual(['root', 'sibling']);
    expect(await cappedAbove(record.on.db, record.on, 'root')).toEqual([
      { id: 'root', cap_tokens: 1_000, cap_micros: null },
    ]);
  });

  it('is raised for the first run and wherever there is one, and in what is said alone', async () => {
    await family();
    await record.put({ id: 'elsewhere', cap_tokens: 1 });
    const all = ['root', 'child', 'grandchild', 'sibling'];
    await raiseCaps(record.on.db, { rootId: 'root', family: all, cap: { tokens: 2_000 } });
    const caps = async (id: string) => {
      const { cap_tokens, cap_micros } = await record.row(id);
      return [cap_tokens, cap_micros];
    };
    expect(await caps('root')).toEqual([2_000, null]);
    expect(await caps('child')).toEqual([null, null]);
    expect(await caps('grandchild')).toEqual([2_000, 5_000_000]);
    expect(await caps('sibling')).toEqual([2_000, null]);
    await raiseCaps(record.on.db, { rootId: 'root', family: ['root', 'child'], cap: { costUsd: 3 } });
    expect(await caps('root')).toEqual([2_000, 3_000_000]);
    expect(await caps('grandchild')).toEqual([2_000, 5_000_000]);
    expect(await caps('elsewhere')).toEqual([1, null]);
  });

  it('is given to a first run that had none', async () => {
    await record.put({ id: 'root' });
    await raiseCaps(record.on.db, { rootId: 'root', family: ['root'], cap: { tokens: 7 } });
    expect((await record.row('root')).cap_tokens).toBe(7);
  });
});

describe('what was spent', () => {
  beforeEach(family);

  it('is nothing where there were no calls', async () => {
    const nothing = {
      spent: none,
      reserved: none,
      callsInFlight: 0,
      unknownCalls: 0,
      usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
      calls: 0,
      keptCalls: 0,
    };
    expect(NO_CALLS).toEqual(nothing);
    expect(await spendingOf(record.on.db, { rootId: 'root' })).toEqual(nothing);
  });

  it('is told apart from what is in flight, what nobody knows, and what another run had paid', async () => {
    await call('root', { tokens: 10, micros: 100_000, input_tokens: 7, output_tokens: 3, cached_tokens: 2 });
    await call('root', { tokens: 5, micros: 50_000, input_tokens: 4, output_tokens: 1, interrupted: 2 });
    await call('root', { tokens: 8, micros: 80_000, input_tokens: 6, output_tokens: 2, is_kept: 1 });
    await call('root', { tokens: 20, micros: 200_000, is_settled: 0 });
    await call('root', { tokens: 30, micros: 300_000, is_settled: 0, epoch: 0 });
    await record.put({ id: 'paused', root_id: 'root', parent_id: 'root', status: 'paused' });
    await call('paused', { tokens: 40, micros: 400_000, is_settled: 0 });
    expect(await spendingOf(record.on.db, { rootId: 'root' })).toEqual({
      spent: { tokens: 15, costUsd: 0.15 },
      reserved: { tokens: 20, costUsd: 0.2 },
      callsInFlight: 1,
      unknownCalls: 4,
      usage: { inputTokens: 11, outputTokens: 4, cachedInputTokens: 2, costUsd: 0.15 },
      calls: 2,
      keptCalls: 1,
    });
  });

  it('has a kept call once, and only where none of the runs that are counted made it', async () => {
    const kept = (run: string, call: string) => ({ id: `${run}/${call}`, is_kept: 1, tokens: 1 });
    await call('child', { id: 'made', tokens: 1 });
    await call('grandchild', kept('grandchild', 'made'));
    await call('grandchild', kept('grandchild', 'elsewhere'));
    await call('sibling', kept('sibling', 'elsewhere'));
    const keptBy = async (runId: string) =>
      (await spendingUnder(record.on.db, { rootId: 'root', runId })).keptCalls;
    expect(await keptBy('grandchild')).toBe(2);
    expect(await keptBy('child')).toBe(1);
    expect(await keptBy('root')).toBe(1);
    expect((await spendingOfFamily(record.on, 'root')).keptCalls).toBe(1);
  });

  it('is told of each step apart from what others paid for it, with calls of no known end', async () => {
    await call('root', { step: 'one', tokens: 3, micros: 10_000 });
    await call('root', { step: 'one', tokens: 50, is_settled: 0 });
    await call('root', { step: 'one', tokens: 7, is_kept: 1 });
    await call('child', { step: 'one', tokens: 500 });
    const paid = (isKept: boolean) => paidBySteps(record.on.db, { runId: 'root', isKept });
    const one = { spent: { tokens: 3, costUsd: 0.01 }, unknownCalls: 1 };
    expect(await paid(false)).toEqual(new Map([['one', one]]));
    const kept = { spent: { tokens: 7, costUsd: 0 }, unknownCalls: 0 };
    expect(await paid(true)).toEqual(new Map([['one', kept]]));
  });

  it('has no price where one call had none, and says where it is only estimated', async () => {
    await call('root', { micros: 100_000, is_estimated: 1 });
    expect((await spendingOf(record.on.db, { rootId: 'root' })).usage).toMatchObject({
      costUsd: 0.1,
      isEstimated: true,
    });
    await call('root', { is_unpriced: 1 });
    const { usage } = await spendingOf(record.on.db, { rootId: 'root' });
    expect(usage).toEqual({
      ...{ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
      ...{ pricedUsd: 0.1, isEstimated: true },
    });
  });

  it('has no price at all where none of its calls had one', async () => {
    await call('root', { is_unpriced: 1, input_tokens: 3 });
    expect((await spendingOf(record.on.db, { rootId: 'root' })).usage).toEqual({
      ...{ inputTokens: 3, outputTokens: 0, cachedInputTokens: 0 },
    });
  });

  it('is counted of one run, of all below it, and of its whole family', async () => {
    await call('root', { tokens: 1 });
    await call('child', { tokens: 10 });
    await call('grandchild', { tokens: 100 });
    await call('sibling', { tokens: 1_000 });
    await record.put({ id: 'stranger' });
    await call('stranger', { tokens: 10_000, root_id: 'stranger' });
    const { db } = record.on;
    const tokens = async (spending: ReturnType<typeof spendingOf>) => (await spending).spent.tokens;
    expect(await tokens(spendingOf(db, { rootId: 'root' }))).toBe(1_111);
    expect(await tokens(spendingOfFamily(record.on, 'root'))).toBe(1_111);
    expect(await tokens(spendingOf(db, { rootId: 'root', runId: 'child' }))).toBe(10);
    expect(await tokens(spendingUnder(db, { rootId: 'root', runId: 'root' }))).toBe(1_111);
    expect(await tokens(spendingUnder(db, { rootId: 'root', runId: 'child' }))).toBe(110);
    expect(await tokens(spendingUnder(db, { rootId: 'root', runId: 'grandchild' }))).toBe(100);
  });

  it('is told of each step, as far as it is settled', async () => {
    await call('root', { step: 'one', tokens: 3, micros: 10_000 });
    await call('root', { step: 'one', tokens: 4, micros: 20_000 });
    await call('root', { step: 'two', tokens: 5, micros: 30_000 });
    await call('root', { step: 'open', tokens: 50, is_settled: 0 });
    await call('child', { step: 'one', tokens: 500 });
    await record.put({ id: 'stranger' });
    await call('root', { step: 'one', tokens: 5_000, root_id: 'stranger' });
    expect(await spendingBySteps(record.on.db, { rootId: 'root', runId: 'root' })).toEqual(
      new Map([
        ['one', { tokens: 7, costUsd: 0.03 }],
        ['two', { tokens: 5, costUsd: 0.03 }],
      ]),
    );
  });
});
