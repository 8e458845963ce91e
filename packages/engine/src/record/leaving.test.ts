import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecord, type RecordUnderTest, standingAt, tellingTo } from '../../test/record-of-runs.ts';
import { closeCutOff, closeInterrupted, leaveRun } from './leaving.ts';
import type { RunDatabase } from './run-database.ts';
import type { RunRow, StepRow } from './tables.ts';

const NOW = 1_000_000_000;
let record: RecordUnderTest;
let on: RunDatabase;
/** The runs that others were told of. */
const told: string[] = [];
beforeAll(async () => {
  record = await openRecord();
  on = tellingTo(standingAt(record.on, NOW), told);
});
afterAll(() => record[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const table of ['runs_runs', 'runs_steps', 'runs_events'] as const) {
    await on.db.deleteFrom(table).execute();
  }
  await record.put({ id: 'run', owner: 'me', wake_at: 5, error: 'before' });
  await record.put({ id: 'beside', owner: 'me', wake_at: 5, error: 'before' });
  told.length = 0;
});

/** A step that has not ended. */
const openStep = (name: string, more: Partial<StepRow> = {}) =>
  record.putStep({ run_id: 'run', name, status: 'running', end_seq: null, ended_at: null, ...more });
const eventsOf = async (runId: string) =>
  (
    await on.db.selectFrom('runs_events').selectAll().where('run_id', '=', runId).orderBy('seq').execute()
  ).map(({ seq, type, step, attempt }) => [seq, type, step, attempt]);
const event = (seq: number, run_id = 'run') =>
  on.db
    .insertInto('runs_events')
    .values({ run_id, seq, type: 't', step: null, attempt: null, data: null, at: 1 })
    .execute();

describe('a run that its owner leaves', () => {
  const leave = async (how: Parameters<typeof leaveRun>[2]) => {
    const { isLast, work } = leaveRun(on, { runId: 'run', owner: 'me', epoch: 1 }, how);
    expect(isLast).toBe(true);
    await on.write(work);
    return record.row('run');
  };

  it.each([
    ['queued', NOW],
    ['paused', null],
  ] as const)('is %s, nobody’s, and due at %j, and nobody else’s is touched', async (status, wake_at) => {
    const beside = await record.row('beside');
    // What is open of it is no reason to wait.
    await openStep('later', { status: 'waiting', wake_at: NOW + 9 });
    expect(await leave({ status })).toMatchObject({ status, owner: null, wake_at, error: null });
    expect(await record.row('beside')).toEqual(beside);
    expect([told, await eventsOf('run')]).toEqual([['run'], []]);
  });

  it('says why, and what happened', async () => {
    const { error } = await leave({ status: 'paused', error: new Error('no room'), event: 'run.paused' });
    expect(JSON.parse(error ?? '')).toEqual({ code: 'NEXUS_INTERNAL', message: 'no room' });
    expect(await eventsOf('run')).toEqual([[1, 'run.paused', null, null]]);
  });

  it.each<[string, number | null, readonly Partial<StepRow>[]]>([
    ['at once, where nothing of it is open: nothing would wake it', NOW, []],
    [
      'at once, where a step has been answered',
      NOW,
      [{ status: 'completed' }, { status: 'waiting', wake_at: NOW + 9 }],
    ],
    [
      'when the first of its steps is',
      NOW + 5,
      [
        { status: 'waiting', wake_at: NOW + 9 },
        { status: 'waiting', wake_at: NOW + 5 },
        { status: 'waiting', wake_at: null },
      ],
    ],
    ['when somebody wakes it, where its steps wait for others', null, [{ status: 'waiting', wake_at: null }]],
    [
      'by what is open alone',
      NOW + 9,
      [
        { status: 'waiting', wake_at: NOW + 9 },
        { status: 'completed', end_seq: 4 },
        { status: 'waiting', wake_at: NOW + 1, run_id: 'beside' },
        { status: 'running', run_id: 'beside' },
      ],
    ],
    [
      'by what it waits for, beside what nobody knows the outcome of: that is told last',
      NOW + 5,
      [
        { status: 'failed', error: '{"code":"NEXUS_OUTCOME_UNKNOWN","message":"nobody knows"}' },
        { status: 'waiting', wake_at: NOW + 5 },
      ],
    ],
    [
      'at once, where a step has failed by what is known',
      NOW,
      [
        { status: 'failed', error: '{"code":"NEXUS_TIMEOUT","message":"too long"}' },
        { status: 'waiting', wake_at: NOW + 5 },
      ],
    ],
  ])('that waits is due %s', async (_, wake_at, steps) => {
    for (const [at, step] of steps.entries()) await openStep(`step ${at}`, step);
    expect(await leave({ status: 'waiting' })).toMatchObject({ status: 'waiting', wake_at });
  });
});

const UNKNOWN = 'and doing it again could do it twice. Look at its effect first.';
const messageOf = ({ error }: StepRow) => {
  const { code, message } = JSON.parse(error ?? '{}');
  expect(code).toBe('NEXUS_OUTCOME_UNKNOWN');
  expect(message).toContain(UNKNOWN);
  return message;
};

describe('what the last owner was in the middle of', () => {
  const close = () => on.write((trx) => closeInterrupted(trx, on, 'run'));

  it('is done again at once where it may be, and else failed: nobody knows how far it came', async () => {
    await event(6);
    await event(9, 'beside');
    await openStep('again', { is_repeatable: 1, attempt: 3 });
    await openStep('once', { attempt: 2 });
    await close();
    expect(await record.step('run', 'again')).toMatchObject({
      ...{ status: 'waiting', wake_at: NOW, attempt: 3, error: null, end_seq: null, ended_at: null },
    });
    const once = await record.step('run', 'once');
    expect(once).toMatchObject({ status: 'failed', attempt: 2, wake_at: null, ended_at: NOW });
    expect(messageOf(once)).toMatch(/^The server that ran the step "once" ended before the work did,/);
    const [, ...interrupted] = await eventsOf('run');
    expect(interrupted.toSorted()).toEqual([
      [7, 'step.interrupted', 'again', 3],
      [8, 'step.interrupted', 'once', 2],
    ]);
  });

  it('is nothing that waits, nor that has ended, nor another run’s', async () => {
    await openStep('waits', { status: 'waiting', wake_at: 7 });
    await record.putStep({ run_id: 'run', name: 'done' });
    await openStep('same', { status: 'waiting', wake_at: 7 });
    await openStep('same', { run_id: 'beside' });
    const all = () => on.db.selectFrom('runs_steps').selectAll().orderBy('run_id').orderBy('name').execute();
    const before = await all();
    await close();
    expect(await all()).toEqual(before);
    expect(await eventsOf('run')).toEqual([]);
  });

  it('is told from a step of the same name of another run', async () => {
    await openStep('same');
    await openStep('same', { run_id: 'beside' });
    await close();
    expect((await record.step('run', 'same')).status).toBe('failed');
    expect((await record.step('beside', 'same')).status).toBe('running');
  });
});

describe('what a run that ends was in the middle of', () => {
  const close = () => on.write((trx) => closeCutOff(trx, on, 'run'));
  const begun = (id: string, more: Partial<RunRow> = {}) =>
    record.put({ id, parent_id: 'run', parent_step: 'call', ...more });
  /** Something that must not be done twice. */
  const done = (run_id: string, more: Partial<StepRow> = {}) =>
    record.putStep({ run_id, name: 'once', ...more });

  it('is of unknown outcome where it may not be repeated, and was under way', async () => {
    await openStep('once', { attempt: 2 });
    await openStep('waits', { status: 'waiting' });
    await openStep('again', { is_repeatable: 1 });
    await close();
    const once = await record.step('run', 'once');
    expect(once).toMatchObject({ status: 'failed', ended_at: NOW });
    expect(messageOf(once)).toMatch(/^The run was ended in the middle of its step "once",/);
    expect((await record.step('run', 'waits')).status).toBe('waiting');
    expect((await record.step('run', 'again')).status).toBe('running');
    expect(await eventsOf('run')).toEqual([[1, 'step.interrupted', 'once', 2]]);
  });

  it.each<[string, () => Promise<void>]>([
    ['it itself', () => done('begun')],
    ['one below it', () => begun('below', { parent_id: 'begun' }).then(() => done('below'))],
    ['it itself, which is not over', () => done('begun', { status: 'running', end_seq: null })],
    ['it itself, which failed', () => done('begun', { status: 'failed' })],
  ])(
    'is of unknown outcome where its call began a run without a key, and %s did what may not be',
    async (_, act) => {
      await openStep('call', { is_repeatable: 1, status: 'waiting' });
      await begun('begun');
      await act();
      await close();
      const step = await record.step('run', 'call');
      expect(step.status).toBe('failed');
      expect(messageOf(step)).toContain(
        'it had begun run begun, in which something was done that must not be',
      );
      expect(messageOf(step)).toContain('nexus://runs/begun shows how far');
    },
  );

  it('names the newest of several that did such a thing, also where only another of them has no key', async () => {
    await openStep('call', { is_repeatable: 1 });
    await begun('newest', { created_at: 30 });
    await begun('newer', { created_at: 20, start_key: 'k2' });
    await begun('older', { created_at: 10, start_key: 'k1' });
    await done('newer');
    await done('older');
    await close();
    expect(messageOf(await record.step('run', 'call'))).toContain('it had begun run newer,');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['its call began nothing', async () => {}],
    ['what it began did nothing', () => begun('begun')],
    [
      'what it began did only what may be repeated',
      () => begun('begun').then(() => done('begun', { is_repeatable: 1 })),
    ],
    ['that waits to be done still', () => begun('begun').then(() => done('begun', { status: 'waiting' }))],
    ['that was a question of it', () => begun('begun').then(() => done('begun', { kind: 'question' }))],
    ['it finds what it began by its key', () => begun('begun', { start_key: 'k' }).then(() => done('begun'))],
    [
      'what it began went on in another, which has its key',
      () => begun('begun', { goes_on_in: 'next' }).then(() => done('begun')),
    ],
    [
      'another step of it began that',
      () => begun('begun', { parent_step: 'another' }).then(() => done('begun')),
    ],
    [
      'a step of this name in another run began that',
      () => begun('begun', { parent_id: 'beside' }).then(() => done('begun')),
    ],
  ])('is done again where %s', async (_, act) => {
    await openStep('call', { is_repeatable: 1 });
    await act();
    const before = await record.step('run', 'call');
    await close();
    expect(await record.step('run', 'call')).toEqual(before);
    expect(await eventsOf('run')).toEqual([]);
  });

  it('is done again where it is a child: that ends with it, and says so itself', async () => {
    await openStep('call', { kind: 'child', is_repeatable: 1, status: 'waiting' });
    await begun('begun');
    await done('begun');
    await close();
    expect((await record.step('run', 'call')).status).toBe('waiting');
  });
});
