import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecord, type RecordUnderTest, standingAt } from '../../test/record-of-runs.ts';
import { type Due, dueElsewhere, dueInHand, whatComes } from './due.ts';
import type { RunDatabase } from './run-database.ts';
import type { RunRow } from './tables.ts';

const NOW = 1_000_000_000;
let record: RecordUnderTest;
let on: RunDatabase;
beforeAll(async () => {
  record = await openRecord();
  on = { ...standingAt(record.on, NOW), home: { ...record.on.home, machine: 'here' } };
});
afterAll(() => record[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const table of ['runs_runs', 'runs_steps'] as const) await on.db.deleteFrom(table).execute();
});

const KINDS = [{ name: 'test.kind', version: 1 }] as Due['kinds'];
const ME: Due = { self: 'me', kinds: KINDS, except: [], lacking: [], only: undefined, suspect: undefined };
const SOON_MS = 60_000;

/** A run that was due so long ago. */
const due = (id: string, agoMs: number, more: Partial<RunRow> = {}) =>
  record.put({ id, status: 'queued', wake_at: NOW - agoMs, ...more });
/** Another run of the family, that a process has. */
const held = (rootId: string, owner: string) =>
  record.put({ id: `${rootId}_by_${owner}`, root_id: rootId, owner, status: 'running' });
const elsewhere = (more: Partial<Parameters<typeof dueElsewhere>[1]> = {}) =>
  dueElsewhere(on, { ...ME, isSuspect: false, ofJobs: undefined, most: 100, ...more });
const inHand = (more: Partial<Due> = {}) => dueInHand(on, { ...ME, ...more });
/** So many processes have died with the family, which had got so far. */
const died = (crashes: number, crash_steps = 0) => ({ crashes, crash_steps });
const completeStep = (run_id: string) => record.putStep({ run_id, name: 'done' });

describe('what a process could take', () => {
  it('is queued or waiting, and its time has come: the longest due first', async () => {
    await due('later', 10_000);
    await due('sooner', 20_000, { status: 'waiting' });
    await due('not yet', -SOON_MS);
    await due('for an event', 0, { wake_at: null, status: 'waiting' });
    for (const status of ['running', 'paused', 'completed', 'failed', 'cancelled'] as const) {
      await due(status, 10_000, { status });
    }
    expect(await elsewhere()).toEqual(['sooner', 'later']);
    expect(await elsewhere({ most: 1 })).toEqual(['sooner']);
    expect(await elsewhere({ most: 0 })).toEqual([]);
    expect(await elsewhere({ most: -1 })).toEqual([]);
  });

  it('is of a kind and a version that it knows', async () => {
    await due('a1', 40_000, { kind: 'a', version: 1 });
    await due('a2', 30_000, { kind: 'a', version: 2 });
    await due('b1', 20_000, { kind: 'b', version: 1 });
    await due('b2', 10_000, { kind: 'b', version: 2 });
    const kinds = [
      { name: 'a', version: 1 },
      { name: 'b', version: 2 },
    ] as Due['kinds'];
    expect(await elsewhere({ kinds })).toEqual(['a1', 'b2']);
  });

  it('lies on its own machine, or on none', async () => {
    await due('anywhere', 30_000);
    await due('here', 20_000, { place: 'here' });
    await due('there', 10_000, { place: 'there' });
    expect(await elsewhere()).toEqual(['anywhere', 'here']);
  });

  it('is no job of a tool that it lacks, and none of what it has in its hands or was not asked for', async () => {
    await due('job', 40_000, { kind: 'nexus.job', title: 'search' });
    await due('other job', 30_000, { kind: 'nexus.job', title: 'read' });
    await due('run', 20_000, { title: 'search' });
    const kinds = [...KINDS, { name: 'nexus.job', version: 1 }] as Due['kinds'];
    expect(await elsewhere({ kinds })).toEqual(['job', 'other job', 'run']);
    expect(await elsewhere({ kinds, lacking: ['search'] })).toEqual(['other job', 'run']);
    expect(await elsewhere({ kinds, except: ['job'] })).toEqual(['other job', 'run']);
    expect(await elsewhere({ kinds, only: ['run', 'job'] })).toEqual(['job', 'run']);
  });

  it('is left for a while to whoever has others of its family', async () => {
    await due('held', 1_999);
    await held('held', 'other');
    await due('held long', 2_000);
    await held('held long', 'other');
    await due('free', 500);
    await record.put({ id: 'ended', root_id: 'free', owner: 'other', status: 'completed' });
    expect(await elsewhere()).toEqual(['held long', 'free']);
    expect(await elsewhere({ self: undefined })).toEqual(['held long', 'free']);
  });

  it('is of jobs, of runs, or of both', async () => {
    await due('job_1', 20_000);
    await due('below', 15_000, { root_id: 'job_2' });
    await due('run_1', 10_000);
    expect(await elsewhere({ ofJobs: true })).toEqual(['job_1', 'job_2']);
    expect(await elsewhere({ ofJobs: false })).toEqual(['run_1']);
    expect(await elsewhere()).toEqual(['job_1', 'job_2', 'run_1']);
  });

  it('is of a family that processes died with only where that is asked for', async () => {
    await due('sound', 50_000);
    await due('died once', 40_000, died(1));
    await due('suspect', 30_000, died(2));
    await due('to end', 20_000, died(3));
    await due('got further', 10_000, died(2));
    await completeStep('got further');
    await due('below', 5_000, { root_id: 'suspect' });
    expect(await elsewhere()).toEqual(['sound', 'died once', 'got further']);
    expect(await elsewhere({ isSuspect: true })).toEqual(['suspect', 'suspect']);
  });
});

describe('what is due of what a process has in hand', () => {
  it('is told of each family once, and left out of what it could take beside', async () => {
    await due('mine', 500);
    await due('mine too', 400, { root_id: 'mine' });
    await held('mine', 'me');
    await due('theirs', 10_000);
    await held('theirs', 'other');
    await due('past', 10_000);
    await record.put({ id: 'ended', root_id: 'past', owner: 'me', status: 'completed' });
    expect(await inHand()).toEqual(['mine']);
    expect(await elsewhere()).toEqual(['theirs', 'past']);
    expect(await inHand({ self: undefined })).toEqual([]);
    expect(await elsewhere({ self: 'other' })).toEqual(['past']);
    expect(await inHand({ self: 'other' })).toEqual(['theirs']);
  });

  it('is of a family that processes died with where that is the one that is tried', async () => {
    for (const id of ['one', 'two']) {
      await due(id, 500, died(2));
      await held(id, 'me');
    }
    await due('sound', 500);
    await held('sound', 'me');
    expect((await inHand()).sort()).toEqual(['sound']);
    expect((await inHand({ suspect: 'two' })).sort()).toEqual(['sound', 'two']);
    // It may be in hand: what was done of it here had come to rest.
    expect((await elsewhere({ isSuspect: true })).sort()).toEqual(['one', 'two']);
  });
});

describe('something is due', () => {
  const isDue = async (more: Partial<Pick<Due, 'kinds' | 'self'>> = {}) =>
    (await whatComes(on, { ...ME, ...more })).isDue;

  it('of a kind and a version that are known, here, once its time has come', async () => {
    await due('ended', SOON_MS, { status: 'completed' });
    await due('unknown', SOON_MS, { kind: 'other' });
    await due('newer', SOON_MS, { version: 2 });
    await due('there', SOON_MS, { place: 'there' });
    await due('for an event', 0, { wake_at: null });
    await due('not yet', -1);
    expect(await isDue()).toBe(false);
    expect(await isDue({ kinds: [] })).toBe(false);
    expect(await isDue({ kinds: [{ name: 'other', version: 1 }] as Due['kinds'] })).toBe(true);
    await due('now', 0);
    expect(await isDue()).toBe(true);
    // Whoever has others of its family in hand: a claim looks at that.
    await held('now', 'other');
    expect(await isDue()).toBe(true);
  });
});

describe('how long it is until something comes', () => {
  const next = async (more: Partial<Pick<Due, 'kinds' | 'self'>> = {}) =>
    (await whatComes(on, { ...ME, ...more })).nextInMs;

  it('is not known where nothing does', async () => {
    expect(await next()).toBeUndefined();
    await due('past', 10_000);
    await due('ended', -SOON_MS, { status: 'completed', deadline_at: NOW + SOON_MS });
    await due('unknown', -SOON_MS, { kind: 'other' });
    await due('newer', -SOON_MS, { version: 2 });
    await due('there', -SOON_MS, { place: 'there' });
    await due('for an event', 0, { wake_at: null });
    expect(await next()).toBeUndefined();
    expect(await next({ kinds: [] })).toBeUndefined();
  });

  it('is until the first that is due of what it knows', async () => {
    await due('later', -10 * SOON_MS);
    await due('sooner', -5 * SOON_MS, { status: 'waiting', place: 'here' });
    expect(await next()).toBe(5 * SOON_MS);
    const kinds = [...KINDS, { name: 'other', version: 3 }] as Due['kinds'];
    await due('other', -2 * SOON_MS, { kind: 'other', version: 3 });
    expect(await next({ kinds })).toBe(2 * SOON_MS);
    expect(await next()).toBe(5 * SOON_MS);
  });

  it('is until any run is out of time, of whatever kind', async () => {
    await record.put({ id: 'running', kind: 'other', deadline_at: NOW + 3 * SOON_MS });
    expect(await next()).toBe(3 * SOON_MS);
    await due('sooner', -SOON_MS);
    expect(await next()).toBe(SOON_MS);
    await record.put({ id: 'first', status: 'paused', deadline_at: NOW + 30_000 });
    expect(await next()).toBe(30_000);
    // Whoever ends such runs looked for them just before it was over.
    await record.put({ id: 'over', deadline_at: NOW - 1_000 });
    expect(await next()).toBe(-1_000);
  });

  it('is until what is left to another process is anybody’s', async () => {
    await due('theirs', -30_000);
    await held('theirs', 'other');
    const dueAgo = (ms: number) =>
      on.db
        .updateTable('runs_runs')
        .set({ wake_at: NOW - ms })
        .where('id', '=', 'theirs')
        .execute();
    await dueAgo(500);
    expect(await next()).toBe(1_500);
    await dueAgo(0);
    expect(await next()).toBe(2_000);
    expect(await next({ self: 'other' })).toBeUndefined();
    await dueAgo(2_000);
    expect(await next()).toBeUndefined();
  });
});
