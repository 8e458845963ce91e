import type { Trace } from '@nexus/plugin-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecord, type RecordUnderTest, standingAt } from '../../test/record-of-runs.ts';
import { machine } from '../ground.ts';
import { createRun, FAMILY_MS, findMade, goOnIn, type NewRun, newRunId, openParent } from './creating.ts';
import type { RunDatabase } from './run-database.ts';
import type { RunRow } from './tables.ts';
import { fromStored } from './values.ts';

const NOW = 1_000_000_000;
const TABLES = ['runs_runs', 'runs_steps', 'runs_events', 'runs_blobs', 'runs_turns'] as const;
let record: RecordUnderTest;
let on: RunDatabase;
beforeAll(async () => {
  record = await openRecord();
  on = {
    ...standingAt(record.on, NOW),
    home: { machine: 'here', isBound: ({ name }) => name === 'test.bound', lacks: () => undefined },
  };
});
afterAll(() => record[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const table of TABLES) await on.db.deleteFrom(table).execute();
});

const asked = (more: Partial<NewRun> = {}): NewRun => ({
  ...{ id: 'run', kind: 'test.kind', version: 2, title: 'a run', input: { a: 1 }, keepMs: 60_000 },
  owner: 'me',
  ...more,
});
const create = (more: Partial<NewRun> = {}) => createRun(on, asked(more));
const caller = (more: object = {}) => ({ session: { id: 's' }, user: 'u', ...more });
const eventsOf = async (runId: string) =>
  (await on.db.selectFrom('runs_events').select(['seq', 'type']).where('run_id', '=', runId).execute()).map(
    ({ seq, type }) => `${seq} ${type}`,
  );

describe('a run that is made', () => {
  it('is on record with all that is said of it, and goes on where it was made', async () => {
    const made = await create({
      ...{ definition: { b: 2 }, caller: caller(), roots: ['a', 'b'], key: 'k', keyDigest: 'of k' },
      ...{ cap: { tokens: 7, costUsd: 0.5 }, timeoutMs: 99.6, rerunOf: 'before' },
    });
    expect(made).toEqual(await record.row('run'));
    expect(made).toMatchObject({
      ...{ id: 'run', root_id: 'run', parent_id: null, parent_step: null, kind: 'test.kind', version: 2 },
      ...{ title: 'a run', session_id: 's', user_id: 'u', roots: '["a","b"]', start_key: 'k' },
      ...{ start_digest: 'of k', goes_on_in: null, input: '{"a":1}', definition: '{"b":2}' },
      ...{ rerun_of: 'before', status: 'running', message: null, owner: 'me', epoch: 1, crashes: 0 },
      ...{ crash_steps: 0, wake_at: null, deadline_at: NOW + 100, output: null, error: null },
      ...{ cap_tokens: 7, cap_micros: 500_000, created_at: NOW, updated_at: NOW, ended_at: null },
      ...{ place: null, concurrency: null, bytes: 14, keep_ms: 60_000, trace: null },
    });
    expect(await eventsOf('run')).toEqual(['1 run.created']);
  });

  it('is of nobody, without limits and without end, where nothing of that is said', async () => {
    expect(await create({ input: undefined })).toMatchObject({
      ...{ session_id: null, user_id: null, roots: null, start_key: null, start_digest: null },
      ...{ input: null, definition: null, rerun_of: null, cap_tokens: null, cap_micros: null },
      ...{ deadline_at: null, bytes: 0, trace: null },
    });
  });

  it('keeps a long input and a long definition whole', async () => {
    const [input, definition] = ['x'.repeat(50_000), 'y'.repeat(30_000)];
    const made = await create({ input, definition });
    expect(await fromStored(on.db, 'run', made?.input ?? null)).toBe(input);
    expect(await fromStored(on.db, 'run', made?.definition ?? null)).toBe(definition);
    expect(made?.bytes).toBe(80_004);
  });

  it('is queued, and due at once, where no process has it', async () => {
    expect(await create({ owner: undefined })).toMatchObject({
      ...{ status: 'queued', owner: null, epoch: 0, wake_at: NOW },
    });
  });

  it.each<[string, Partial<NewRun>, Partial<RunRow>]>([
    ['nothing, and runs here', {}, { place: null, status: 'running' }],
    ['this machine, by its kind', { kind: 'test.bound' }, { place: 'here', status: 'running' }],
    ['this machine, by name', { place: 'here' }, { place: 'here', status: 'running' }],
    ['another, and waits for it', { place: 'there' }, { place: 'there', status: 'queued', owner: null }],
    [
      'another, whatever its kind',
      { kind: 'test.bound', place: 'there' },
      { place: 'there', status: 'queued', owner: null, wake_at: NOW },
    ],
  ])('is bound to %s', async (_, more, row) => {
    expect(await create(more)).toMatchObject(row);
  });

  it('is part of what its caller’s call is part of', async () => {
    const trace: Trace = { traceId: 'a'.repeat(32), parentId: 'b'.repeat(16), family: 'f' };
    const made = await create({ caller: caller({ trace }) });
    expect(made?.trace).toBe(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`);
  });

  it('has on record with it what else is to be, or is not there', async () => {
    const seen: string[] = [];
    await createRun(on, asked(), async (trx, row) => {
      seen.push(row.id, (await findMade(trx, 'run'))?.status ?? '');
    });
    expect(seen).toEqual(['run', 'running']);
    const failing = createRun(on, asked({ id: 'other' }), () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await findMade(on.db, 'other')).toBeUndefined();
  });

  it('is found where this very write has made it before, and makes nothing twice', async () => {
    const first = await create();
    let also = 0;
    const again = await createRun(on, asked({ title: 'another' }), async () => {
      also += 1;
    });
    expect([again, also]).toEqual([first, 0]);
    expect(await eventsOf('run')).toEqual(['1 run.created']);
  });

  it('is not where another has its key', async () => {
    await create({ key: 'k' });
    expect(await create({ id: 'second', key: 'k', input: 'x'.repeat(50_000) })).toBeUndefined();
    expect(await findMade(on.db, 'second')).toBeUndefined();
    // Nor is anything of it.
    expect(await eventsOf('second')).toEqual([]);
    expect(await on.db.selectFrom('runs_blobs').select('hash').execute()).toEqual([]);
  });
});

describe('the room of a project', () => {
  it('is for as many runs as may go on: others are queued', async () => {
    await record.put({ id: 'theirs', owner: 'other' });
    expect(await create({ mostOfProject: 2 })).toMatchObject({ status: 'running' });
    expect(await create({ id: 'third', mostOfProject: 2 })).toMatchObject({ status: 'queued', owner: null });
    expect(await create({ id: 'unlimited' })).toMatchObject({ status: 'running' });
  });

  it('is not asked for by what is within a run, which has it', async () => {
    await record.put({ id: 'theirs', owner: 'other' });
    const within = caller({ run: { id: 'theirs', step: 'call' } });
    const begun = await create({ owner: 'other', mostOfProject: 1, caller: within });
    expect(begun).toMatchObject({ status: 'running' });
  });
});

describe('a run within another', () => {
  const parent = {
    ...{ id: 'parent', root_id: 'root', owner: 'me', session_id: 'of it', user_id: 'its', roots: '["r"]' },
    trace: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  };
  beforeEach(() => record.put(parent));
  const within = (more: object = {}) => ({
    caller: { session: {}, run: { id: 'parent', step: 's' }, ...more },
  });

  it('is its child, of its family, user, session, folders and machine', async () => {
    await on.db.updateTable('runs_runs').set({ place: 'here' }).execute();
    expect(await create(within() as never)).toMatchObject({
      ...{ root_id: 'root', parent_id: 'parent', parent_step: 's', session_id: 'of it', user_id: 'its' },
      ...{ roots: '["r"]', place: 'here', status: 'running', owner: 'me' },
    });
    expect((await record.row('parent')).updated_at).toBe(NOW);
  });

  it('says by its first event which step of which run it is of, and another says nothing', async () => {
    await create(within() as never);
    await create({ id: 'alone' });
    const data = async (runId: string) =>
      (await on.db.selectFrom('runs_events').select('data').where('run_id', '=', runId).execute()).map(
        (event) => JSON.parse(event.data ?? 'null'),
      );
    expect(await data('run')).toEqual([{ parentId: 'parent', parentStep: 's' }]);
    expect(await data('alone')).toEqual([null]);
  });

  it('is its caller’s before it is its parent’s', async () => {
    const own = { session: { id: 'own' }, user: 'own', run: { id: 'parent', step: 's' } };
    expect(await create({ caller: own, roots: [] })).toMatchObject({
      ...{ session_id: 'own', user_id: 'own', roots: '[]' },
    });
  });

  it('is where its parent is, whatever is asked for and whatever its kind', async () => {
    await on.db.updateTable('runs_runs').set({ place: 'there' }).execute();
    const made = await create({ ...within(), kind: 'test.bound', place: 'here' } as never);
    expect(made).toMatchObject({ place: 'there', status: 'queued', owner: null, epoch: 0 });
    // Nobody has others of its family in hand there: it is anybody's at once.
    expect(made?.wake_at).toBe(NOW - FAMILY_MS);
  });

  it('is part of the step that waits for it, unless its call says of what', async () => {
    const made = await create(within() as never);
    expect(made?.trace).toMatch(new RegExp(`^00-${'a'.repeat(32)}-[0-9a-f]{16}-01$`));
    expect(made?.trace).not.toContain('b'.repeat(16));
    const trace: Trace = { traceId: 'c'.repeat(32), parentId: 'd'.repeat(16), family: 'f' };
    const called = await create({ id: 'called', ...within({ trace }) } as never);
    expect(called?.trace).toBe(`00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`);
  });

  it.each(['completed', 'failed', 'cancelled'] as const)('is not made where that is %s', async (status) => {
    await on.db.updateTable('runs_runs').set({ status }).execute();
    const error = await create(within() as never).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'NEXUS_CANCELLED' });
    expect(String(error)).toContain('The run parent that this call comes from is over.');
    expect(await findMade(on.db, 'run')).toBeUndefined();
  });

  it.each(['queued', 'running', 'waiting', 'paused'] as const)('is made where that is %s', async (status) => {
    await on.db.updateTable('runs_runs').set({ status }).execute();
    await record.put({ id: 'beside' });
    const open = { id: 'parent', owner: 'me' };
    expect((await on.write((trx) => openParent(trx, on, open))).status).toBe(status);
    expect((await record.row('beside')).updated_at).toBe(1);
  });

  it.each(['other', null])('is not made by a process whose parent is %s’s by now', async (owner) => {
    await on.db.updateTable('runs_runs').set({ owner }).execute();
    const error = await create(within() as never).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'NEXUS_CANCELLED' });
    expect(String(error)).toContain('The run parent that this call comes from is no longer this process');
    expect(await findMade(on.db, 'run')).toBeUndefined();
    // What nobody here can do is anybody's, whoever asks for it.
    expect(await create({ ...within(), owner: undefined } as never)).toMatchObject({ status: 'queued' });
  });
});

describe('a run in the place of one that ended', () => {
  const before = () => record.row('before');
  beforeEach(async () => {
    await record.put({ id: 'before', status: 'failed', start_key: 'k' });
    await record.put({ id: 'beside', status: 'failed', start_key: 'b' });
  });

  it('has its key, and that one goes on in it', async () => {
    expect(await create({ key: 'k', inPlaceOf: await before() })).toMatchObject({ start_key: 'k' });
    expect(await before()).toMatchObject({ goes_on_in: 'run', start_key: null });
    expect(await record.row('beside')).toMatchObject({ goes_on_in: null, start_key: 'b' });
  });

  it('is made by one of two', async () => {
    const read = await before();
    await create({ key: 'k', inPlaceOf: read });
    expect(await create({ id: 'second', key: 'k', inPlaceOf: read })).toBeUndefined();
    // Made again, the first finds what it made.
    expect((await create({ key: 'k', inPlaceOf: read }))?.id).toBe('run');
    expect(await before()).toMatchObject({ goes_on_in: 'run' });
  });

  it('comes once more where the one that it went on in is no longer what was read', async () => {
    await on.db.updateTable('runs_runs').set({ goes_on_in: 'gone' }).where('id', '=', 'before').execute();
    const read = await before();
    const go = (row: RunRow, next: string) => on.write((trx) => goOnIn(trx, row, next));
    expect(await go({ ...read, goes_on_in: 'another' }, 'x')).toBe(false);
    expect(await go({ ...read, goes_on_in: null }, 'x')).toBe(false);
    expect(await go({ ...read, status: 'cancelled' }, 'x')).toBe(false);
    expect(await go(read, 'x')).toBe(true);
    expect((await before()).goes_on_in).toBe('x');
  });
});

describe('runs of one key that go on one at a time', () => {
  const one = { concurrency: { key: 'c' } };

  it('have their turn, or wait for it', async () => {
    expect(await create(one)).toMatchObject({ status: 'running', concurrency: '{"key":"c"}' });
    expect(await create({ id: 'second', ...one })).toMatchObject({
      ...{ status: 'queued', owner: null, wake_at: null },
    });
    expect(await create({ id: 'beside' })).toMatchObject({ status: 'running' });
  });

  it('are not made where they are refused', async () => {
    await create(one);
    const refused = create({ id: 'second', concurrency: { key: 'c', onConflict: 'refuse' } });
    await expect(refused).rejects.toMatchObject({ code: 'NEXUS_CONFLICT' });
    expect(await findMade(on.db, 'second')).toBeUndefined();
  });
});

it('has an id that nobody guesses, under what it is an id of', () => {
  expect(newRunId(machine)).toMatch(/^run_[0-9a-f]{32}$/);
  expect(newRunId(machine, 'job')).toMatch(/^job_[0-9a-f]{32}$/);
  expect(newRunId(machine)).not.toBe(newRunId(machine));
});
