import { ToolError } from '@nexus/plugin-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecord, type RecordUnderTest } from '../../test/record-of-runs.ts';
import { errorText } from './errors.ts';
import { keepRun, keepSpendingOf } from './keep-run.ts';
import type { KeepRule } from './kept-steps.ts';
import type { RunDatabase } from './run-database.ts';
import type { SpendingRow, StepRow } from './tables.ts';
import { fromStored, saveBlob, toStored } from './values.ts';

const TABLES = ['runs_runs', 'runs_steps', 'runs_events', 'runs_blobs', 'runs_spending'] as const;
let record: RecordUnderTest;
let on: RunDatabase;
beforeAll(async () => {
  record = await openRecord();
  on = record.on;
});
afterAll(() => record[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const table of TABLES) await on.db.deleteFrom(table).execute();
  await record.put({ id: 'from', status: 'failed' });
  await record.put({ id: 'to', root_id: 'root of to', rerun_of: 'from' });
});

const UNKNOWN = errorText(new ToolError('NEXUS_OUTCOME_UNKNOWN', 'nobody knows'));
const byName =
  (...names: string[]): KeepRule =>
  () =>
  ({ name }) =>
    names.includes(name);
const keep = async (...names: string[]) => {
  const to = await record.row('to');
  await on.write((trx) => keepRun(trx, on, { from: 'from', to, rule: byName(...names) }));
};
const done = (name: string, more: Partial<StepRow> = {}) => record.putStep({ run_id: 'from', name, ...more });
const stepsOf = (run: string) =>
  on.db.selectFrom('runs_steps').selectAll().where('run_id', '=', run).orderBy('begin_seq').execute();
const eventsOf = (run: string) =>
  on.db.selectFrom('runs_events').selectAll().where('run_id', '=', run).orderBy('seq').execute();
const blobsOf = async (run: string) =>
  (await on.db.selectFrom('runs_blobs').selectAll().where('run_id', '=', run).execute()).length;

describe('what is kept of a run', () => {
  it('is on record of the new one as it was, whatever its input is by now', async () => {
    await done('kept', { digest: 'd', output: '"o"', begin_seq: 1, end_seq: 4, attempt: 2, ended_at: 9 });
    await done('not kept', { begin_seq: 2, end_seq: 3 });
    await record.putStep({ run_id: 'beside', name: 'kept' });
    const before = await stepsOf('from');
    await keep('kept');
    expect(await stepsOf('to')).toEqual([{ ...before[0], run_id: 'to', digest: null }]);
    expect(await stepsOf('from')).toEqual(before);
  });

  it('is told of as kept, at its end, or where it has none at its beginning', async () => {
    await done('ended', { begin_seq: 1, end_seq: 4, attempt: 2, started_at: 8, ended_at: 9 });
    await done('answered', { kind: 'child', begin_seq: 5, end_seq: null, started_at: 11, ended_at: null });
    await keep('ended', 'answered');
    const kept = { run_id: 'to', type: 'step.kept', data: '{"from":"from"}' };
    expect(await eventsOf('to')).toEqual([
      { ...kept, seq: 4, step: 'ended', attempt: 2, at: 9 },
      { ...kept, seq: 5, step: 'answered', attempt: 1, at: 11 },
    ]);
    expect(await eventsOf('from')).toEqual([]);
  });

  it('is given to its rule whole, and asked of each', async () => {
    for (const name of ['a', 'b']) await done(name);
    const seen: string[][] = [];
    const rule: KeepRule = (steps) => {
      seen.push(steps.map(({ name }) => name).sort());
      return ({ name }) => name === 'b';
    };
    const to = await record.row('to');
    await on.write((trx) => keepRun(trx, on, { from: 'from', to, rule }));
    expect([seen, (await stepsOf('to')).map(({ name }) => name)]).toEqual([[['a', 'b']], ['b']]);
  });

  it('has its long values with it, each once, and no others', async () => {
    const [long, other] = [toStored('x'.repeat(50_000)), toStored('y'.repeat(50_000))];
    await saveBlob(on.db, 'from', long);
    await saveBlob(on.db, 'from', other);
    await done('a', { output: long.text });
    await done('b', { output: long.text });
    await done('short', { output: '"s"' });
    await done('none', { output: null });
    await done('left', { output: other.text });
    await keep('a', 'b', 'short', 'none');
    expect(await fromStored(on.db, 'to', long.text)).toBe('x'.repeat(50_000));
    expect(await blobsOf('to')).toBe(1);
  });

  it('brings what the run has read with it', async () => {
    await on.db
      .updateTable('runs_runs')
      .set({ untrusted_by: 'fetch', private_by: 'mail' })
      .where('id', '=', 'from')
      .execute();
    await record.put({ id: 'root of to' });
    await keep();
    expect(await record.row('root of to')).toMatchObject({ untrusted_by: 'fetch', private_by: 'mail' });
  });
});

const paid = async (id: string, more: Partial<SpendingRow> = {}) => {
  const call: SpendingRow = {
    ...{ id, root_id: 'from', run_id: 'from', step: 'a', tokens: 10, micros: 5, epoch: 1, is_settled: 1 },
    ...{ input_tokens: 6, output_tokens: 4, cached_tokens: 1, is_unpriced: 0, is_estimated: 0 },
    ...{ is_kept: 0, interrupted: 2, digest: 'd', answer: '"a"' },
    ...more,
  };
  await on.db.insertInto('runs_spending').values(call).execute();
  return call;
};
const spendingOf = (run: string) =>
  on.db.selectFrom('runs_spending').selectAll().where('run_id', '=', run).orderBy('id').execute();
const callsOf = async (run: string) => (await spendingOf(run)).map(({ id, step }) => `${id} ${step}`);

describe('what was paid for what is kept', () => {
  it('is counted beside what the new run spends, as paid by another', async () => {
    await done('a');
    const call = await paid('call');
    await keep('a');
    const own = {
      id: 'to/call',
      run_id: 'to',
      root_id: 'root of to',
      is_kept: 1,
      interrupted: 0,
      answer: null,
    };
    expect(await spendingOf('to')).toEqual([{ ...call, ...own }]);
    expect(await spendingOf('from')).toEqual([call]);
  });

  it('is what was paid for the steps whose answers are used, and has come to its end', async () => {
    for (const name of ['a', 'b', 'unknown']) await done(name);
    await on.db
      .updateTable('runs_steps')
      .set({ status: 'failed', error: UNKNOWN })
      .where('name', '=', 'unknown')
      .execute();
    await paid('of a');
    await paid('of money alone', { tokens: 0 });
    await paid('of tokens alone', { micros: 0 });
    await paid('refused', { tokens: 0, micros: 0 });
    await paid('in flight', { is_settled: 0 });
    await paid('of b, which is not kept', { step: 'b' });
    await paid('of what nobody knows', { step: 'unknown' });
    await paid('of another run', { run_id: 'beside' });
    await keep('a', 'unknown');
    expect(await callsOf('to')).toEqual(['to/of a a', 'to/of money alone a', 'to/of tokens alone a']);
  });

  it('is, of a child, all that it and those below it had paid, as its step’s', async () => {
    await done('a');
    await done('b');
    await record.put({ id: 'child', parent_id: 'from', parent_step: 'a' });
    await record.put({ id: 'below', parent_id: 'child', parent_step: 'x' });
    await record.put({ id: 'of b', parent_id: 'from', parent_step: 'b' });
    await record.put({ id: 'of no step', parent_id: 'from' });
    await record.put({ id: 'beside', parent_id: 'to', parent_step: 'a' });
    for (const run of ['child', 'below', 'of b', 'of no step', 'beside']) {
      await paid(`by ${run}`, { run_id: run, step: 'own' });
    }
    await keep('a');
    expect(await callsOf('to')).toEqual(['to/by below a', 'to/by child a']);
  });

  it('is counted once, through however many runs it was kept', async () => {
    await done('a');
    await paid('call');
    await paid('from/older', { is_kept: 1 });
    await paid('to/call', { run_id: 'to', root_id: 'root of to', is_kept: 1, step: 'there before' });
    await keep('a');
    expect(await callsOf('to')).toEqual(['to/call there before', 'to/older a']);
  });
});

describe('what a run had paid whose answer a step of another takes', () => {
  const by = { id: 'to', step: 'takes' };
  const take = async (more: object = {}) => keepSpendingOf(on, await record.row('from'), { ...by, ...more });

  it('is counted at that step, with what those below it had paid', async () => {
    await record.put({ id: 'child', parent_id: 'from', parent_step: 'x' });
    await paid('call');
    await paid('below', { run_id: 'child' });
    await paid('elsewhere', { run_id: 'beside' });
    await take();
    await take();
    expect(await callsOf('to')).toEqual(['to/below takes', 'to/call takes']);
  });

  it('is not counted twice where it is of one family, nor where the other is no longer on record', async () => {
    await paid('call');
    await on.db.updateTable('runs_runs').set({ root_id: 'from' }).where('id', '=', 'to').execute();
    await take();
    await take({ id: 'none' });
    expect(await on.db.selectFrom('runs_spending').select('id').execute()).toEqual([{ id: 'call' }]);
  });
});
