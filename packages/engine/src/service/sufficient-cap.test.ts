import { isToolError, type Spend, ToolError } from '@nexus/plugin-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecord, type RecordUnderTest } from '../../test/record-of-runs.ts';
import { errorText } from '../record/errors.ts';
import type { RunRow, SpendingRow } from '../record/tables.ts';
import { assertCapSuffices } from './sufficient-cap.ts';

let record: RecordUnderTest;
let rootId: string;
let next = 1;

beforeAll(async () => {
  record = await openRecord();
});
afterAll(() => record[Symbol.asyncDispose]());
beforeEach(async () => {
  rootId = `run_${next++}`;
  await record.put({ id: rootId, status: 'running' });
});

const stopped = (estimate?: Spend) =>
  errorText(new ToolError('NEXUS_BUDGET_EXCEEDED', 'too much', estimate ? { detail: { estimate } } : {}));
const child = (name: string, row: Partial<RunRow> = {}) =>
  record.put({ id: `${rootId}_${name}`, root_id: rootId, status: 'paused', ...row });

async function spend(tokens: number, micros: number): Promise<void> {
  const row: SpendingRow = {
    id: `spent_${next++}`,
    root_id: rootId,
    run_id: rootId,
    step: 's',
    tokens,
    micros,
    is_settled: 1,
    epoch: 1,
    input_tokens: tokens,
    output_tokens: 0,
    cached_tokens: 0,
    is_unpriced: 0,
    is_estimated: 0,
    is_kept: 0,
    interrupted: 0,
    digest: null,
    answer: null,
  };
  await record.on.db.insertInto('runs_spending').values(row).execute();
}

const family = () => [rootId, ...['a', 'b', 'c'].map((name) => `${rootId}_${name}`)];
const hold = (cap: Partial<Spend>, of = family()) =>
  assertCapSuffices(record.on, { rootId, family: of, cap }).then(
    () => 'suffices',
    (error: unknown) => error,
  );

describe('a new cap of a paused run', () => {
  it('suffices from what is spent and the next call may cost, in either, or none is given', async () => {
    await spend(900, 500_000);
    await child('a', { error: stopped({ tokens: 100, costUsd: 0.25 }) });
    expect(await hold({})).toBe('suffices');
    expect(await hold({ tokens: 1_000 })).toBe('suffices');
    expect(await hold({ costUsd: 0.75 })).toBe('suffices');
    expect(await hold({ tokens: 1_000, costUsd: 0.75 })).toBe('suffices');
  });

  it('does not below that, and is told what it takes of what is short', async () => {
    await spend(900, 500_000);
    await child('a', { error: stopped({ tokens: 100, costUsd: 0.25 }) });
    const error = await hold({ tokens: 999, costUsd: 5 });
    expect(isToolError(error) && [error.code, error.message]).toEqual([
      'NEXUS_BUDGET_EXCEEDED',
      'A cap of 999 tokens lets nothing go on: 900 tokens are spent, and the next call may cost 100 tokens. Give at least 1000 tokens, which is enough for that call, and not for those after it.',
    ]);
    expect(isToolError(error) && error.detail).toEqual({
      spent: { tokens: 900, costUsd: 0.5 },
      estimate: { tokens: 100, costUsd: 0.25 },
      cap: { tokens: 999, costUsd: 5 },
      needed: { tokens: 1_000, costUsd: 0.75 },
    });
    expect(String(await hold({ tokens: 5_000, costUsd: 0.74 }))).toContain('A cap of $0.7400 lets nothing');
    expect(String(await hold({ tokens: 1, costUsd: 0.1 }))).toContain(
      'Give at least 1000 tokens and $0.7500,',
    );
  });

  it('suffices where only a part of a millionth of a dollar is missing, and not where more is', async () => {
    await spend(0, 500_000);
    expect(await hold({ costUsd: 0.5 - 5e-7 })).toBe('suffices');
    expect(await hold({ costUsd: 0.5 - 3e-6 })).toBeInstanceOf(ToolError);
  });

  it('is asked for so that what is shown of it suffices', async () => {
    await spend(0, 340);
    expect(String(await hold({ costUsd: 0.0003 }))).toContain('Give at least $0.0004,');
    expect(await hold({ costUsd: 0.0004 })).toBe('suffices');
  });

  it.each([{ tokens: 0 }, { costUsd: 0 }, { tokens: -1 }])('of nothing never does: %j', async (cap) => {
    expect(await hold(cap)).toBeInstanceOf(ToolError);
  });

  it('is held to the call that asks least, of the paused runs of the family alone', async () => {
    await child('a', { error: stopped({ tokens: 500, costUsd: 0.2 }) });
    await child('b', { error: stopped({ tokens: 99.5, costUsd: 0.9 }) });
    await child('c', { error: stopped({ tokens: 1, costUsd: 0 }), status: 'failed' });
    await child('stranger', { error: stopped({ tokens: 2, costUsd: 0 }) });
    expect(await hold({ tokens: 100, costUsd: 0.2 })).toBe('suffices');
    expect(await hold({ tokens: 99 })).toBeInstanceOf(ToolError);
    expect(await hold({ costUsd: 0.1 })).toBeInstanceOf(ToolError);
  });

  it('need not be more than is spent where no paused run says what it stopped at', async () => {
    await spend(10, 0);
    await child('a', { error: stopped() });
    await child('b');
    expect(await hold({ tokens: 10 })).toBe('suffices');
    expect(await hold({ tokens: 9 })).toBeInstanceOf(ToolError);
  });
});
