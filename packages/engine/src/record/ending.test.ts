import { ToolError } from '@nexus/plugin-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecord, type RecordUnderTest, standingAt, tellingTo } from '../../test/record-of-runs.ts';
import { endedOf, endOutrun, endOverdue, endRun, type RunEnding, wake } from './ending.ts';
import { CALL, JOB_KIND } from './job-kind.ts';
import type { RunDatabase } from './run-database.ts';
import type { RunSpans } from './run-spans.ts';
import { startKey } from './start-key.ts';
import { stepKey } from './step-key.ts';
import type { QuestionRow, RunRow, SpendingRow, StepRow, TurnRow } from './tables.ts';
import { fromStored } from './values.ts';

const NOW = 1_000_000_000;
const TABLES = [
  ...(['runs_runs', 'runs_steps', 'runs_events', 'runs_blobs'] as const),
  ...(['runs_questions', 'runs_spending', 'runs_turns', 'runs_calls'] as const),
];
let record: RecordUnderTest;
let on: RunDatabase;
/** The runs that others were told of, and those whose spans have ended. */
const told: string[] = [];
const spans: string[] = [];
beforeAll(async () => {
  record = await openRecord();
  const runEnded = ({ id, status }: RunRow) => spans.push(`${id} ${status}`);
  on = { ...tellingTo(standingAt(record.on, NOW), told), spans: { runEnded } as unknown as RunSpans };
});
afterAll(() => record[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const table of TABLES) await on.db.deleteFrom(table).execute();
  await record.put({ id: 'run', owner: 'me', wake_at: 5 });
  await record.put({ id: 'beside', owner: 'me', wake_at: 5 });
  told.length = 0;
  spans.length = 0;
});

const COMPLETED: RunEnding = { status: 'completed', output: { a: 1 } };
const FAILED: RunEnding = { status: 'failed', error: new Error('no') };
const CANCELLED: RunEnding = { status: 'cancelled', error: new Error('away') };
const end = (ending: RunEnding, id = 'run') => on.write((trx) => endRun(trx, on, id, ending));
const statusOf = async (id: string) => (await record.row(id)).status;
const messageOf = ({ error }: Pick<RunRow, 'error'>) => JSON.parse(error ?? '{}').message;
const eventsOf = async (runId: string) =>
  (await on.db.selectFrom('runs_events').select('type').where('run_id', '=', runId).execute()).map(
    ({ type }) => type,
  );
/** A call of a model by a step of the run. */
const called = (id: string, more: Partial<SpendingRow>): SpendingRow => ({
  ...{ id, root_id: 'run', run_id: 'run', step: 'ask', tokens: 1, micros: 1, epoch: 3 },
  ...{ input_tokens: 0, output_tokens: 0, cached_tokens: 0, is_unpriced: 0, is_estimated: 0 },
  ...{ is_settled: 1, is_kept: 0, interrupted: 0, digest: null, answer: null },
  ...more,
});
const child = (id: string, more: Partial<RunRow> = {}) =>
  record.put({ id, root_id: 'run', parent_id: 'run', parent_step: 'deep', owner: 'me', ...more });

describe('a run that ends', () => {
  it.each([
    ['completed', COMPLETED, { output: '{"a":1}', error: null }],
    ['failed', FAILED, { output: null, error: '{"code":"NEXUS_INTERNAL","message":"no"}' }],
    ['cancelled', CANCELLED, { output: null, error: '{"code":"NEXUS_INTERNAL","message":"away"}' }],
  ] as const)('is %s, nobody’s and due at nothing, with what it came to', async (status, ending, came) => {
    const beside = await record.row('beside');
    expect(await end(ending)).toBe(true);
    expect(await record.row('run')).toMatchObject({
      ...{ ...came, status, owner: null, wake_at: null, updated_at: NOW, ended_at: NOW },
    });
    expect([await eventsOf('run'), told, spans]).toEqual([[`run.${status}`], ['run'], [`run ${status}`]]);
    expect(await record.row('beside')).toEqual(beside);
  });

  it.each(['completed', 'failed', 'cancelled'] as const)(
    'stays as it was where it was %s',
    async (status) => {
      await on.db.updateTable('runs_runs').set({ status, ended_at: 7 }).where('id', '=', 'run').execute();
      const before = await record.row('run');
      for (const ending of [COMPLETED, FAILED, CANCELLED]) expect(await end(ending)).toBe(false);
      expect(await end(COMPLETED, 'none')).toBe(false);
      expect(await record.row('run')).toEqual(before);
      expect([await eventsOf('run'), told, spans]).toEqual([[], [], []]);
    },
  );

  it('is ended as well where nobody takes its spans', async () => {
    expect(await on.write((trx) => endRun(trx, { ...on, spans: undefined }, 'run', COMPLETED))).toBe(true);
    expect(spans).toEqual([]);
  });

  it('keeps a long output whole', async () => {
    const output = 'x'.repeat(50_000);
    await end({ status: 'completed', output });
    const { output: text } = await record.row('run');
    expect(text?.length).toBeLessThan(100);
    expect(await fromStored(on.db, 'run', text)).toBe(output);
  });

  it.each([
    ['completed', COMPLETED, 'running'],
    ['failed', FAILED, 'failed'],
    ['cancelled', CANCELLED, 'failed'],
  ] as const)('leaves, %s, what it was in the middle of as what it is by then', async (_, ending, status) => {
    await record.putStep({ run_id: 'run', name: 'once', status: 'running', end_seq: null });
    await end(ending);
    expect((await record.step('run', 'once')).status).toBe(status);
  });

  it('asks nothing more', async () => {
    const question = (run_id: string, name: string, status: QuestionRow['status']) => ({
      ...{ run_id, name, status, message: 'Go on?', schema: null, subject: null, digest: null },
      ...{ answer: null, asked_at: 1, answered_at: null },
    });
    const asked = [
      question('run', 'open', 'open'),
      question('run', 'answered', 'answered'),
      question('beside', 'open', 'open'),
    ];
    await on.db.insertInto('runs_questions').values(asked).execute();
    await end(COMPLETED);
    const rows = await on.db.selectFrom('runs_questions').selectAll().execute();
    expect(rows.map(({ run_id, name, status }) => `${run_id}/${name} ${status}`).sort()).toEqual([
      'beside/open open',
      'run/answered answered',
      'run/open expired',
    ]);
  });

  it.each([
    ['has no end', { is_settled: 0, answer: null }, { epoch: -1, answer: null }],
    ['has its answer', { is_settled: 1, answer: '"a"' }, { epoch: 3, answer: null }],
  ])('has no call in flight, nor an answer kept for its steps: one that %s', async (_, is, becomes) => {
    const calls = [called('own', is), called('theirs', { ...is, root_id: 'beside', run_id: 'beside' })];
    await on.db.insertInto('runs_spending').values(calls).execute();
    await end(COMPLETED);
    const rows = await on.db.selectFrom('runs_spending').select(['id', 'epoch', 'answer']).execute();
    expect(rows.find(({ id }) => id === 'own')).toMatchObject(becomes);
    expect(rows.find(({ id }) => id === 'theirs')).toMatchObject({ epoch: 3, answer: is.answer });
  });

  it.each([
    ['completed', COMPLETED, []],
    ['failed', FAILED, ['run']],
    ['cancelled', CANCELLED, ['run']],
  ] as const)(
    'keeps the calls that must not be made twice for who has it go on, %s',
    async (_, ending, kept) => {
      const once = { step: 'once', nth: 0, tool: 't', digest: 'd', input: '{}', answer: '{}' };
      const calls = ['run', 'beside'].map((run_id) => ({ ...once, run_id }));
      await on.db.insertInto('runs_calls').values(calls).execute();
      await end(ending);
      const rows = await on.db.selectFrom('runs_calls').select('run_id').execute();
      expect(rows.map(({ run_id }) => run_id).sort()).toEqual(['beside', ...kept]);
    },
  );

  it.each([
    ['completed', COMPLETED, { answer: null, bytes: 100 }],
    ['failed', FAILED, { answer: '"paid"', bytes: 106 }],
    ['cancelled', CANCELLED, { answer: '"paid"', bytes: 106 }],
  ] as const)(
    'keeps and counts its answers that were paid for who has it go on, %s',
    async (_, ending, kept) => {
      await on.db.updateTable('runs_runs').set({ bytes: 100 }).where('id', '=', 'run').execute();
      await on.db
        .insertInto('runs_spending')
        .values(called('paid', { is_settled: 1, answer: '"paid"' }))
        .execute();
      await end(ending);
      const { answer } = await on.db.selectFrom('runs_spending').select('answer').executeTakeFirstOrThrow();
      expect({ answer, bytes: (await record.row('run')).bytes }).toEqual(kept);
    },
  );

  it('was cancelled for the reason that is given, whatever it was told of before', async () => {
    const error = '{"code":"NEXUS_OUTCOME_UNKNOWN","message":"nobody knows"}';
    await record.putStep({ run_id: 'run', name: 'once', status: 'failed', error });
    await end(CANCELLED);
    expect(messageOf(await record.row('run'))).toBe('away');
    await record.putStep({ run_id: 'beside', name: 'once', status: 'failed', error });
    await end(FAILED, 'beside');
    expect(messageOf(await record.row('beside'))).toBe('no nobody knows');
  });

  it('ends its children that are open with it, and theirs, as cancelled, and no others', async () => {
    await child('child');
    await child('below', { parent_id: 'child', status: 'waiting', owner: null });
    await child('done', { status: 'completed', ended_at: 7 });
    await record.put({ id: 'other', root_id: 'beside', parent_id: 'beside', parent_step: 'deep' });
    await end(COMPLETED);
    for (const [id, parent] of [
      ['child', 'run'],
      ['below', 'child'],
    ] as const) {
      const row = await record.row(id);
      expect(row).toMatchObject({ status: 'cancelled', ended_at: NOW });
      expect(JSON.parse(row.error ?? '').code).toBe('NEXUS_CANCELLED');
      expect(messageOf(row)).toBe(`The run ${parent} that this one was for is over.`);
    }
    expect(await record.row('done')).toMatchObject({ status: 'completed', ended_at: 7 });
    expect([await statusOf('beside'), await statusOf('other')]).toEqual(['running', 'running']);
    expect(told.toSorted()).toEqual(['below', 'child', 'run']);
  });
});

describe('the parent of a run that ends', () => {
  const waiting = (more: Partial<StepRow> = {}) =>
    record.putStep({
      ...{ run_id: 'run', name: 'deep', kind: 'child', status: 'waiting', end_seq: null, ended_at: null },
      ...more,
    });
  const parentIs = (status: RunRow['status']) =>
    on.db.updateTable('runs_runs').set({ status, wake_at: null }).where('id', '=', 'run').execute();
  beforeEach(async () => {
    await child('child');
    await parentIs('waiting');
  });

  it('has its answer, and is due', async () => {
    await waiting();
    await waiting({ name: 'another' });
    await waiting({ run_id: 'beside' });
    await end({ status: 'completed', output: 'x'.repeat(50_000) }, 'child');
    const { output, ...step } = await record.step('run', 'deep');
    expect(step).toMatchObject({ status: 'completed', error: null, ended_at: NOW, end_seq: null });
    expect(await fromStored(on.db, 'run', output)).toHaveLength(50_000);
    expect(await record.row('run')).toMatchObject({ status: 'waiting', wake_at: NOW });
    expect((await record.row('beside')).wake_at).toBe(5);
    expect(told).toEqual(['child', 'run']);
    for (const [run, name] of [
      ['run', 'another'],
      ['beside', 'deep'],
    ] as const) {
      expect((await record.step(run, name)).status).toBe('waiting');
    }
  });

  it.each([
    ['failed', FAILED, 'no'],
    ['was cancelled', CANCELLED, 'away'],
  ] as const)('is told why it %s', async (_, ending, message) => {
    await waiting();
    await end(ending, 'child');
    const step = await record.step('run', 'deep');
    expect([step.status, messageOf(step), step.output]).toEqual(['failed', message, null]);
  });

  it('is told of all in it that nobody knows the outcome of', async () => {
    await waiting();
    for (const name of ['one', 'two']) {
      await record.putStep({ run_id: 'child', name, status: 'running', end_seq: null });
    }
    await end({ status: 'failed', error: new ToolError('NEXUS_OUTCOME_UNKNOWN', 'Three.') }, 'child');
    const message = messageOf(await record.step('run', 'deep'));
    for (const part of ['Three.', 'step "one"', 'step "two"']) expect(message).toContain(part);
    expect(messageOf(await record.row('child'))).toBe(message);
  });

  it('that a process has is told, and takes it up itself', async () => {
    await parentIs('running');
    await waiting();
    await end(COMPLETED, 'child');
    expect((await record.step('run', 'deep')).status).toBe('completed');
    expect((await record.row('run')).wake_at).toBeNull();
    expect(told).toEqual(['child', 'run']);
  });

  it.each<[string, Partial<StepRow>]>([
    ['is of another kind: its call has the answer', { kind: 'step' }],
    ['has had its end', { end_seq: 4 }],
    ['has been answered', { status: 'failed' }],
  ])('goes on as it was where its step %s', async (_, is) => {
    await waiting(is);
    const before = await record.step('run', 'deep');
    await end(COMPLETED, 'child');
    expect(await record.step('run', 'deep')).toEqual(before);
    expect((await record.row('run')).wake_at).toBeNull();
    expect(told).toEqual(['child']);
    expect(await on.db.selectFrom('runs_blobs').selectAll().execute()).toEqual([]);
  });
});

it('wakes a run that waits, and no other', async () => {
  await record.put({ id: 'paused', status: 'paused' });
  await record.put({ id: 'waiting', status: 'waiting' });
  await record.put({ id: 'waiting too', status: 'waiting' });
  await on.write(async (trx) => {
    for (const id of ['paused', 'waiting', 'run']) await wake(trx, on, id);
  });
  const dues = await Promise.all(['paused', 'waiting', 'waiting too', 'run'].map(record.row));
  expect(dues.map(({ wake_at }) => wake_at)).toEqual([null, NOW, null, 5]);
  expect(told).toEqual(['paused', 'waiting', 'run']);
});

describe('a job and the runs that its call has begun', () => {
  const begunBy = (job: string, user?: string) => startKey(['test.kind'], stepKey(job, CALL), user);
  beforeEach(async () => {
    await record.put({ id: 'job_1', kind: JOB_KIND, owner: 'me' });
    await record.put({ id: 'job_2', kind: JOB_KIND, owner: 'me' });
    await record.put({ id: 'begun', start_key: begunBy('job_1') });
    await record.put({ id: 'below', root_id: 'begun', parent_id: 'begun', parent_step: 'deep' });
    await record.put({ id: 'of another', start_key: begunBy('job_2') });
    await record.put({ id: 'of a user', start_key: begunBy('job_1', 'u'), user_id: 'u' });
  });
  const OTHERS = ['job_2', 'of another', 'of a user', 'beside'];
  const all = async (ids: readonly string[]) => new Set(await Promise.all(ids.map(statusOf)));

  it.each(['job_1', 'begun'])('are cancelled together: by %s', async (id) => {
    await end(CANCELLED, id);
    expect(await all(['job_1', 'begun', 'below'])).toEqual(new Set(['cancelled']));
    expect(messageOf(await record.row('job_1'))).toBe('away');
    expect(messageOf(await record.row('begun'))).toBe('away');
    expect(await all(OTHERS)).toEqual(new Set(['running']));
  });

  it.each([
    ['job_1', COMPLETED],
    ['job_1', FAILED],
    ['begun', COMPLETED],
    ['begun', FAILED],
  ] as const)('end each by itself else: %s', async (id, ending) => {
    await end(ending, id);
    expect(await statusOf(id)).toBe(ending.status);
    expect(await statusOf(id === 'begun' ? 'job_1' : 'begun')).toBe('running');
  });

  it('are cancelled together where more than one job waits for the run', async () => {
    const key = begunBy('job_2');
    await on.db.insertInto('runs_taken_up').values({ key, run_id: 'begun' }).execute();
    await end(CANCELLED, 'begun');
    expect(await all(['job_1', 'job_2', 'begun'])).toEqual(new Set(['cancelled']));
  });

  it('are not cancelled with a run below those', async () => {
    await end(CANCELLED, 'below');
    expect(await all(['job_1', 'begun'])).toEqual(new Set(['running']));
  });
});

describe('runs of one key', () => {
  const turn = (run_id: string, seq: number, more: Partial<TurnRow> = {}) =>
    on.db
      .insertInto('runs_turns')
      .values({ run_id, key: 'k', at_once: 1, seq, has_turn: 0, is_outrun: 0, ...more })
      .execute();
  const queued = (id: string) => record.put({ id, status: 'queued', concurrency: '{"key":"k"}' });
  const lined = async () =>
    (await on.db.selectFrom('runs_turns').select('run_id').orderBy('seq').execute()).map(
      ({ run_id }) => run_id,
    );

  it('leave their turn as they end, also by another’s end, and the next has it', async () => {
    await child('child', { concurrency: '{"key":"k"}' });
    await turn('child', 1, { has_turn: 1 });
    await queued('next');
    await turn('next', 2);
    await end(FAILED);
    expect(await lined()).toEqual(['next']);
    expect((await record.row('next')).wake_at).toBe(NOW);
  });

  it('are ended where newer ones take their place', async () => {
    await queued('old');
    await turn('old', 1, { is_outrun: 1 });
    await queued('new');
    await turn('new', 2);
    await endOutrun(on);
    const old = await record.row('old');
    expect([old.status, messageOf(old)]).toEqual([
      'cancelled',
      'A newer run of the same key has taken its place.',
    ]);
    expect(JSON.parse(old.error ?? '').code).toBe('NEXUS_CANCELLED');
    expect([await statusOf('new'), await lined()]).toEqual(['queued', ['new']]);
  });
});

describe('a family', () => {
  it('is over where no run of it is open, or none is on record', async () => {
    await record.put({ id: 'over', status: 'completed' });
    await record.put({ id: 'half', status: 'failed' });
    for (const status of ['paused', 'queued'] as const) {
      await record.put({ id: `its ${status}`, root_id: 'half', status });
    }
    expect(await endedOf(on, ['run', 'over', 'half', 'none'])).toEqual(['over', 'none']);
    // Of none, the record is not asked.
    expect(await endedOf({ ...on, db: undefined as never }, [])).toEqual([]);
  });
});

describe('a run that has run out of time', () => {
  it('fails, wherever it is, and no sooner', async () => {
    const at = (id: string, deadline_at: number | null, more: Partial<RunRow> = {}) =>
      record.put({ id, deadline_at, ...more });
    await at('late', NOW - 1, { title: 'the late one' });
    await at('just now', NOW, { status: 'paused' });
    await at('in time', NOW + 1);
    await at('without one', null);
    await at('done', NOW - 1, { status: 'completed' });
    await endOverdue(on);
    const late = await record.row('late');
    expect(late.status).toBe('failed');
    expect(JSON.parse(late.error ?? '')).toEqual({
      code: 'NEXUS_TIMEOUT',
      message: '"the late one" did not end within the time that it was given.',
    });
    expect(await Promise.all(['just now', 'in time', 'without one', 'done'].map(statusOf))).toEqual([
      'failed',
      'running',
      'running',
      'completed',
    ]);
  });
});
