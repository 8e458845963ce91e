import { ToolError } from '@nexus/plugin-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecord, type RecordUnderTest } from '../../test/record-of-runs.ts';
import { findCall, findChild, newestOf, runsBefore, wasTold } from './begun-before.ts';
import { errorText } from './errors.ts';
import type { RunDatabase } from './run-database.ts';
import { startKey } from './start-key.ts';
import { stepKey } from './step-key.ts';
import type { RunRow } from './tables.ts';

let record: RecordUnderTest;
let on: RunDatabase;
beforeAll(async () => {
  record = await openRecord();
  on = record.on;
});
afterAll(() => record[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const table of ['runs_runs', 'runs_steps'] as const) await on.db.deleteFrom(table).execute();
  // Three of one line, the last of which is at work, and one beside that was begun anew from the first.
  await record.put({ id: 'first', status: 'failed', goes_on_in: 'second' });
  await record.put({ id: 'second', status: 'failed', rerun_of: 'first', goes_on_in: 'third' });
  await record.put({ id: 'third', rerun_of: 'second' });
  await record.put({ id: 'anew', rerun_of: 'first' });
});

const UNKNOWN = errorText(new ToolError('NEXUS_OUTCOME_UNKNOWN', 'nobody knows'));
const OTHER = errorText(new ToolError('NEXUS_TIMEOUT', 'too long'));
const idOf = (row: RunRow | undefined) => row?.id;

describe('a line of runs', () => {
  it.each([
    ['third', ['second', 'first']],
    ['second', ['first']],
    ['first', []],
    ['anew', []],
    ['none', []],
  ])('is what %s goes on from, the last before it first', async (id, before) => {
    expect((await runsBefore(on.db, on, id)).map((run) => run.id)).toEqual(before);
  });

  it('says of each what is asked of one that another goes on from', async () => {
    await on.db.updateTable('runs_runs').set({ error: OTHER }).where('id', '=', 'first').execute();
    expect(await runsBefore(on.db, on, 'second')).toEqual([{ id: 'first', error: OTHER }]);
  });

  it.each([
    ['first', 'third'],
    ['second', 'third'],
    ['third', 'third'],
    ['anew', 'anew'],
  ])('has for %s its newest: %s', async (id, newest) => {
    expect(idOf(await newestOf(on, await record.row(id)))).toBe(newest);
  });

  it('has the last that is on record for its newest', async () => {
    await on.db.deleteFrom('runs_runs').where('id', '=', 'third').execute();
    expect(idOf(await newestOf(on, await record.row('first')))).toBe('second');
  });
});

const keyOf = (runId: string) => startKey(['test.kind'], stepKey(runId, 'call'));

describe('the call of a step', () => {
  const begunBy = (parent: string, more: Partial<RunRow> = {}) =>
    record.put({
      ...{ id: `by ${parent}`, parent_id: parent, parent_step: 'call', start_key: keyOf(parent) },
      ...more,
    });
  const find = (
    runId: string,
    {
      key = keyOf(runId),
      isSame = true,
      step = 'call',
    }: { key?: string; isSame?: boolean; step?: string } = {},
  ) => findCall(on, { key, run: { id: runId, step }, isSame: async () => isSame });

  it.each(['first', 'anew', 'none'])(
    'stands under its own key where its run goes on from none: %s',
    async (id) => {
      await begunBy('first');
      await begunBy('second');
      expect(await find(id)).toEqual({ key: keyOf(id), isEarlier: false });
    },
  );

  it('stands under its own key where it is no run’s', async () => {
    expect(await findCall(on, { key: 'k', run: undefined, isSame: async () => true })).toEqual({
      ...{ key: 'k', isEarlier: false },
    });
  });

  it('stands under its own where nothing was begun by it before', async () => {
    await record.put({ id: 'other', start_key: keyOf('beside') });
    expect(await find('third')).toEqual({ key: keyOf('third'), isEarlier: false });
  });

  it('stands under that of the same step of the newest run before in which it began something', async () => {
    await begunBy('first');
    expect(await find('third')).toEqual({ key: keyOf('first'), isEarlier: true });
    await begunBy('second');
    expect(await find('third')).toEqual({ key: keyOf('second'), isEarlier: true });
    await begunBy('third');
    expect(await find('third')).toEqual({ key: keyOf('third'), isEarlier: false });
  });

  it('stands under its own where another step of a run before began something', async () => {
    await begunBy('second');
    const key = startKey(['test.kind'], stepKey('third', 'another'));
    expect(await find('third', { key, step: 'another' })).toEqual({ key, isEarlier: false });
  });

  it('stands under that of a run before where this run’s own step has what goes on under it', async () => {
    await begunBy('third', { start_key: keyOf('first') });
    expect(await find('third', { isSame: false })).toEqual({ key: keyOf('first'), isEarlier: false });
  });

  it('begins another where it asks for something else', async () => {
    await begunBy('second');
    expect(await find('third', { isSame: false })).toEqual({ key: keyOf('third'), isEarlier: false });
  });

  it.each<[string, RunRow['status'], 'completed' | 'failed']>([
    ['is over, and so is the step that began it', 'completed', 'completed'],
    ['is over, and the step that began it has not heard', 'completed', 'failed'],
    ['failed', 'failed', 'completed'],
    ['goes on', 'running', 'completed'],
  ])('has to do with what %s', async (_, status, stepStatus) => {
    await begunBy('second', { status });
    await record.putStep({ run_id: 'second', name: 'call', status: stepStatus });
    expect(await find('third')).toEqual({ key: keyOf('second'), isEarlier: true });
  });

  it.each([
    ['second', 'call', 'third', false],
    ['first', 'call', 'second', true],
    ['second', 'another', 'second', true],
  ])('begins another where the run %s refused what came of %s', async (by, refusedStep, at, isEarlier) => {
    await begunBy('first');
    await begunBy('second');
    const error = errorText(new ToolError('NEXUS_MODEL_OUTPUT', 'of no use', { detail: { refusedStep } }));
    await on.db.updateTable('runs_runs').set({ error }).where('id', '=', by).execute();
    expect(await find('third')).toEqual({ key: keyOf(at), isEarlier });
  });

  it.each([
    ['the same step of a run before', 'second', true],
    ['a run that is none of the line', 'anew', false],
    ['nobody’s step', null, false],
  ])('under a key that is not the step’s finds what was begun by %s', async (_, parent, isEarlier) => {
    await begunBy('x', { parent_id: parent, start_key: 'own words' });
    expect(await find('third', { key: 'own words' })).toEqual({ key: 'own words', isEarlier });
  });
});

describe('a child of a step', () => {
  const child = (id: string, parent: string, more: Partial<RunRow> = {}) =>
    record.put({
      ...{ id, parent_id: parent, parent_step: 'deep', status: 'cancelled', input: '{"a":1}', ...more },
    });
  const find = async (more: Partial<Parameters<typeof findChild>[2]> = {}) =>
    idOf(
      await findChild(on.db, on, {
        ...{ parentId: 'third', step: 'deep', kind: 'test.kind', input: '{"a":1}', ...more },
      }),
    );

  it('is that of the newest run before that had one', async () => {
    expect(await find()).toBeUndefined();
    await child('oldest', 'first');
    await child('of another step', 'second', { parent_step: 'other' });
    await child('beside', 'anew');
    expect(await find()).toBe('oldest');
    await child('newest', 'second');
    expect(await find()).toBe('newest');
    expect(await find({ parentId: 'anew' })).toBeUndefined();
  });

  it('is what that one went on in', async () => {
    await child('before', 'second', { goes_on_in: 'after' });
    await child('after', 'elsewhere', { rerun_of: 'before' });
    expect(await find()).toBe('after');
  });

  it.each([
    ['of another kind', { kind: 'test.other' }],
    ['with another input', { input: '{"a":2}' }],
    ['with none', { input: null }],
  ])('is begun anew %s, and none older is looked for', async (_, asked) => {
    await child('oldest', 'first', asked as Partial<RunRow>);
    await child('newest', 'second');
    expect(await find(asked)).toBeUndefined();
  });

  it('is the same where it is over, and begun anew where its run refused what came of it', async () => {
    await child('done', 'second', { status: 'completed' });
    await record.putStep({ run_id: 'second', name: 'deep', kind: 'child' });
    expect(await find()).toBe('done');
    const detail = { refusedStep: 'deep' };
    const error = errorText(new ToolError('NEXUS_MODEL_OUTPUT', 'of no use', { detail }));
    await on.db.updateTable('runs_runs').set({ error }).where('id', '=', 'second').execute();
    expect(await find()).toBeUndefined();
  });
});

describe('who has a run go on was told that nobody knows its outcome', () => {
  const told = async (id: string) => wasTold(on, await record.row(id));

  it('by its own error, where no step waited for it', async () => {
    await record.put({ id: 'unknown', error: UNKNOWN, told_at: 1 });
    await record.put({ id: 'unheard', error: UNKNOWN });
    await record.put({ id: 'other', error: OTHER, told_at: 1 });
    expect([await told('unknown'), await told('unheard'), await told('other'), await told('first')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it.each([
    ['has failed by that', { status: 'failed', error: UNKNOWN }, true],
    ['has not heard of it yet', { status: 'failed', error: UNKNOWN, end_seq: null }, false],
    ['failed by something else', { status: 'failed', error: OTHER }, false],
    ['was completed', { status: 'completed' }, false],
  ] as const)('by the step that waited for it, where that %s', async (_, step, isTold) => {
    await record.put({ id: 'child', parent_id: 'second', parent_step: 'deep', error: UNKNOWN });
    await record.putStep({ run_id: 'second', name: 'deep', kind: 'child', ...step });
    await record.putStep({
      run_id: 'second',
      name: 'other',
      status: 'failed',
      error: isTold ? OTHER : UNKNOWN,
    });
    expect(await told('child')).toBe(isTold);
  });

  it('by nobody, where the step that began it is not on record', async () => {
    await record.put({ id: 'child', parent_id: 'second', parent_step: 'deep', error: UNKNOWN });
    await record.put({ id: 'of no step', parent_id: 'second', error: UNKNOWN });
    expect([await told('child'), await told('of no step')]).toEqual([false, false]);
  });
});
