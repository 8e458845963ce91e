import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecord, type RecordUnderTest, standingAt } from '../../test/record-of-runs.ts';
import { type ClaimRequest, claimRuns, historyOf } from './claiming.ts';
import type { RunDatabase } from './run-database.ts';
import type { RunRow } from './tables.ts';

const NOW = 1_000_000_000;
let record: RecordUnderTest;
let on: RunDatabase;
/** How often a process had to have a name. */
let asked = 0;
beforeAll(async () => {
  record = await openRecord();
  on = {
    ...standingAt(record.on, NOW),
    home: { machine: 'here', isBound: ({ name }) => name === 'test.bound', lacks: () => undefined },
  };
});
afterAll(() => record[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const table of ['runs_runs', 'runs_steps', 'runs_events'] as const) {
    await on.db.deleteFrom(table).execute();
  }
  asked = 0;
});

const request = (more: Partial<ClaimRequest> = {}): ClaimRequest => ({
  ...{ self: undefined, except: [], lacking: [], only: undefined, suspect: undefined },
  kinds: ['test.kind', 'test.bound', 'nexus.job'].map((name) => ({
    name,
    version: 1,
  })) as ClaimRequest['kinds'],
  owner: async () => {
    asked += 1;
    return 'me';
  },
  room: { runs: 10, jobs: 10 },
  mostOfProject: Number.POSITIVE_INFINITY,
  ...more,
});
const claim = (more: Partial<ClaimRequest> = {}) => claimRuns(on, request(more));
const ids = async (more: Partial<ClaimRequest> = {}) => {
  const { runs, isCut, isProjectFull } = await claim(more);
  return { taken: runs.map(({ run }) => run.id).sort(), isCut, isProjectFull };
};
const due = (id: string, agoMs = 10_000, more: Partial<RunRow> = {}) =>
  record.put({ id, status: 'queued', wake_at: NOW - agoMs, ...more });
const statusOf = async (id: string) => (await record.row(id)).status;
const CUT = { isCut: true, isProjectFull: false };
const WHOLE = { isCut: false, isProjectFull: false };

describe('a claim', () => {
  it('takes what is due for a process, which runs it from then on under a new epoch', async () => {
    await due('a', 10_000, { epoch: 4, error: 'as it was left', status: 'waiting' });
    await due('not yet', -10_000);
    const { runs, ...rest } = await claim();
    expect(rest).toEqual(WHOLE);
    expect(runs).toHaveLength(1);
    const row = await record.row('a');
    expect(row).toMatchObject({ status: 'running', owner: 'me', epoch: 5, wake_at: null, error: null });
    expect(row.updated_at).toBe(NOW);
    expect(runs[0]).toEqual({ run: row, steps: [], seq: 0, isSuspect: false });
    expect(await statusOf('not yet')).toBe('queued');
    expect(asked).toBe(1);
    expect(await claim()).toEqual({ runs: [], ...WHOLE });
  });

  it('asks for no name and writes nothing where there is nothing to take, or nothing that it may', async () => {
    const still = { ...on, write: () => Promise.reject(new Error('it writes')) };
    const nothing = { runs: [], ...WHOLE };
    expect(await claimRuns(still, request())).toEqual(nothing);
    await due('a');
    // Who may take nothing does not even look.
    const unread = { ...still, db: undefined as never };
    expect(await claimRuns(unread, request({ kinds: [] }))).toEqual(nothing);
    expect(await claimRuns(unread, request({ only: [] }))).toEqual(nothing);
    expect(await claimRuns(still, request({ room: { runs: 0, jobs: 0 } }))).toEqual(nothing);
    expect(await claimRuns(still, request({ only: ['b'], suspect: 'b' }))).toEqual(nothing);
    expect(await claimRuns(still, request({ mostOfProject: 0 }))).toEqual({
      ...nothing,
      isProjectFull: true,
    });
    expect(asked).toBe(0);
  });

  it('takes a family whole: all that is due of it, and what is due of those in hand whatever the room', async () => {
    await due('root');
    await due('child', 9_000, { root_id: 'root', parent_id: 'root' });
    await due('later', -9_000, { root_id: 'root', parent_id: 'root' });
    expect(await ids()).toEqual({ taken: ['child', 'root'], ...WHOLE });
    await due('another', 500, { root_id: 'root', parent_id: 'root' });
    await due('beside');
    expect(await ids({ self: 'me', room: { runs: 0, jobs: 0 } })).toEqual({ taken: ['another'], ...CUT });
    expect(await statusOf('beside')).toBe('queued');
  });

  it('has the steps of each with it, and the last number given', async () => {
    await due('a');
    await due('b');
    const at = (seq: number) => ({
      run_id: 'a',
      seq,
      type: 't',
      step: null,
      attempt: null,
      data: null,
      at: 1,
    });
    await on.db
      .insertInto('runs_events')
      .values([at(3), at(7)])
      .execute();
    await record.putStep({ run_id: 'a', name: 'one' });
    await record.putStep({ run_id: 'b', name: 'two' });
    const { runs } = await claim();
    const a = runs.find(({ run }) => run.id === 'a');
    expect([a?.steps.map(({ name }) => name), a?.seq]).toEqual([['one'], 7]);
    expect(await historyOf(on.db, 'b')).toMatchObject({ steps: [{ name: 'two' }], seq: 0 });
  });

  it('closes what the owner before was in the middle of', async () => {
    await due('a');
    await record.putStep({
      ...{ run_id: 'a', name: 'one', status: 'running', is_repeatable: 1, end_seq: null, ended_at: null },
    });
    const [taken] = (await claim()).runs;
    expect(taken?.steps).toMatchObject([{ status: 'waiting', wake_at: NOW }]);
    expect(taken?.seq).toBe(1);
  });

  it('binds a run to its machine where its kind is of one, and leaves one that is bound', async () => {
    await due('bound', 10_000, { kind: 'test.bound' });
    await due('here', 10_000, { kind: 'test.bound', place: 'here' });
    await due('free');
    const { runs } = await claim();
    const places = Object.fromEntries(runs.map(({ run }) => [run.id, run.place ?? null]));
    expect(places).toEqual({ bound: 'here', here: 'here', free: null });
    expect((await record.row('bound')).place).toBe('here');
    expect((await record.row('free')).place ?? null).toBeNull();
  });
});

describe('the room', () => {
  beforeEach(async () => {
    for (const [at, id] of ['a', 'b', 'c', 'job_a', 'job_b'].entries()) await due(id, 10_000 - at);
  });

  it('is one for runs and another for jobs, and is said to have been filled', async () => {
    expect(await ids({ room: { runs: 2, jobs: 10 } })).toEqual({
      taken: ['a', 'b', 'job_a', 'job_b'],
      ...CUT,
    });
    expect(await ids({ room: { runs: 10, jobs: 0 } })).toEqual({ taken: ['c'], ...CUT });
  });

  it('is filled by jobs as well', async () => {
    expect(await ids({ room: { runs: 10, jobs: 1 } })).toEqual({ taken: ['a', 'b', 'c', 'job_a'], ...CUT });
    expect(await ids()).toEqual({ taken: ['job_b'], ...WHOLE });
  });

  it('of the project is for runs alone, counting those that others have', async () => {
    await record.put({ id: 'theirs', owner: 'other' });
    await record.put({ id: 'job_theirs', owner: 'other' });
    expect(await ids({ mostOfProject: 3 })).toEqual({
      ...{ taken: ['a', 'b', 'job_a', 'job_b'], isCut: true, isProjectFull: true },
    });
    expect(await ids({ mostOfProject: 3 })).toEqual({ taken: [], isCut: false, isProjectFull: true });
    expect(await ids({ mostOfProject: 4 })).toMatchObject({ taken: ['c'], isProjectFull: true });
  });

  it('of the project is left where fewer are taken', async () => {
    expect(await ids({ mostOfProject: 4 })).toMatchObject({
      taken: ['a', 'b', 'c', 'job_a', 'job_b'],
      isProjectFull: false,
    });
  });

  it.each([
    ['some of it', 2, 1, ['a']],
    ['some of it, and there was more', 4, 2, ['a', 'b']],
    ['all of it', 1, 1, []],
  ])('that another process has taken meanwhile is not taken twice: %s', async (_, most, theirs, taken) => {
    const racing: RunDatabase = {
      ...on,
      async write(work) {
        for (let n = 0; n < theirs; n += 1) await record.put({ id: `theirs ${n}`, owner: 'other' });
        return on.write(work);
      },
    };
    const { runs, isCut } = await claimRuns(
      racing,
      request({ mostOfProject: most, room: { runs: 5, jobs: 5 }, only: ['a', 'b', 'c'] }),
    );
    expect(runs.map(({ run }) => run.id).sort()).toEqual(taken);
    expect(isCut).toBe(true);
  });
});

describe('a family that processes have died with', () => {
  const died = { crashes: 2, crash_steps: 0 };
  beforeEach(async () => {
    await due('suspect', 30_000, died);
    await due('other', 20_000, died);
    await due('sound', 10_000);
  });

  it('is taken beside no other such one, whatever the room', async () => {
    const { runs } = await claim();
    const told = runs.map(({ run, isSuspect }) => [run.id, isSuspect]).sort();
    expect(told).toEqual([
      ['sound', false],
      ['suspect', true],
    ]);
    expect(await ids({ suspect: 'suspect' })).toMatchObject({ taken: [] });
    expect(await ids({ room: { runs: 0, jobs: 0 } })).toMatchObject({ taken: ['other'] });
  });

  it('is not taken beyond what the project may, unless it is a job’s', async () => {
    expect(await ids({ mostOfProject: 0 })).toMatchObject({ taken: [] });
    await due('job_suspect', 5_000, died);
    expect(await ids({ mostOfProject: 0 })).toMatchObject({ taken: ['job_suspect'], isProjectFull: true });
  });
});

describe('a claim whose answer was lost', () => {
  /** The first write is made, and made again as if nobody had heard of it, with this in between. */
  const lossy = (between: () => Promise<unknown>): RunDatabase => ({
    ...on,
    async write(work) {
      let result: unknown;
      await on.write(async (trx) => {
        result = await work(trx, false);
      });
      await between();
      result = await on.write((trx) => work(trx, true));
      return result as never;
    },
  });
  const change = (set: object) => on.db.updateTable('runs_runs').set(set).where('id', '=', 'a').execute();

  it('has taken what it took', async () => {
    await due('a');
    await due('b');
    const { runs } = await claimRuns(
      lossy(async () => {}),
      request(),
    );
    expect(runs.map(({ run }) => [run.id, run.epoch]).sort()).toEqual([
      ['a', 2],
      ['b', 2],
    ]);
    expect((await record.row('a')).epoch).toBe(2);
  });

  it.each([
    ['is another’s', { owner: 'other' }],
    ['was claimed anew', { epoch: 9 }],
    ['has ended', { status: 'completed' }],
  ])('has not what %s since', async (_, set) => {
    await due('a');
    await due('b');
    const { runs } = await claimRuns(
      lossy(() => change(set)),
      request(),
    );
    expect(runs.map(({ run }) => run.id)).toEqual(['b']);
  });

  it('takes it anew where it was undone', async () => {
    await due('a');
    const back = () =>
      on.db
        .updateTable('runs_runs')
        .set({ status: 'queued', owner: null, epoch: 1, wake_at: NOW - 1 })
        .execute();
    const { runs } = await claimRuns(lossy(back), request());
    expect(runs.map(({ run }) => [run.id, run.epoch])).toEqual([['a', 2]]);
  });

  it('has what it took as it is by now: undone, and taken since by another call of the same process', async () => {
    await due('a');
    await due('b');
    await record.putStep({ run_id: 'a', name: 'call', status: 'waiting', end_seq: null });
    const takenAgain = async () => {
      await on.db.deleteFrom('runs_steps').execute();
      await change({ input: '"again"' });
      const undone = { status: 'queued', owner: null, epoch: 1, wake_at: NOW - 1 } as const;
      await on.db.updateTable('runs_runs').set(undone).where('id', '=', 'b').execute();
    };
    const claimed = await claimRuns(lossy(takenAgain), request());
    expect(claimed).toMatchObject({ runs: [{ run: { id: 'a', input: '"again"' }, steps: [] }], isCut: true });
  });
});
