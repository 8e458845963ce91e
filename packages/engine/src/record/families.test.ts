import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecord, type RecordUnderTest, standingAt, tellingTo } from '../../test/record-of-runs.ts';
import { addOutsideEvent } from './events.ts';
import {
  deathsOf,
  endCrashed,
  forgetCrashes,
  forgetDoubts,
  freeRunsOf,
  isSuspect,
  takeDeathBack,
  takeStepsBack,
} from './families.ts';
import type { RunDatabase } from './run-database.ts';
import { stepKey } from './step-key.ts';
import type { RunRow, StepRow } from './tables.ts';
import { otherOwners, renew } from './workers.ts';

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
  const tables = ['runs_runs', 'runs_steps', 'runs_events', 'runs_workers', 'runs_doubts'] as const;
  for (const table of tables) await on.db.deleteFrom(table).execute();
  told.length = 0;
});

/** A process by this name takes up the runs, and is given up. */
async function dieWith(ids: readonly string[], { owner = 'dead', isKnown = true, isInDoubt = false } = {}) {
  if (isKnown) await enrolled(owner);
  await on.db.updateTable('runs_runs').set({ owner, status: 'running' }).where('id', 'in', ids).execute();
  return freeRunsOf(on, owner, { isInDoubt });
}
const enrolled = (id: string) =>
  on.db.insertInto('runs_workers').values({ id, host: 'h', pid: 1, seen_at: 1 }).execute();
const workers = async () =>
  (await on.db.selectFrom('runs_workers').select('id').execute()).map(({ id }) => id);
const crashes = async (id: string) => (await record.row(id)).crashes;
const completed = (run_id: string, name = 'step', status: StepRow['status'] = 'completed') =>
  record.putStep({ run_id, name, status });
const child = (id: string, more: Partial<RunRow> = {}) =>
  record.put({ id, root_id: 'root', parent_id: 'root', parent_step: 'call', created_at: 2, ...more });
const putDoubt = (doubt: { root_id: string; until: number; worker?: string }) =>
  on.db
    .insertInto('runs_doubts')
    .values({ worker: 'w', ...doubt })
    .execute();
const doubts = () =>
  on.db.selectFrom('runs_doubts').selectAll().orderBy('root_id').orderBy('worker').execute();

describe('what a dead process leaves', () => {
  it('is free for anybody, with a word on why, and what is others’ stays theirs', async () => {
    await record.put({ id: 'root', crash_steps: 0 });
    await child('child');
    await record.put({ id: 'theirs', owner: 'living' });
    await record.put({ id: 'waiting', owner: 'dead', status: 'waiting' });
    await enrolled('living');
    expect(await dieWith(['root', 'child'])).toBe(2);
    for (const id of ['root', 'child']) {
      expect(await record.row(id)).toMatchObject({
        ...{ status: 'queued', owner: null, wake_at: NOW, updated_at: NOW },
      });
      const events = await on.db.selectFrom('runs_events').selectAll().where('run_id', '=', id).execute();
      expect(events).toMatchObject([{ type: 'run.orphaned', data: '{"crashes":1,"worker":"dead"}' }]);
    }
    expect(told.toSorted()).toEqual(['child', 'root']);
    expect(await record.row('theirs')).toMatchObject({ status: 'running', owner: 'living' });
    expect(await record.row('waiting')).toMatchObject({ status: 'waiting', owner: 'dead' });
    expect(await workers()).toEqual(['living']);
    expect(await freeRunsOf(on, 'dead', { isInDoubt: false })).toBe(0);
  });

  it('is nothing where the process was heard of since it was given up, however long that took', async () => {
    await record.put({ id: 'root', owner: 'slow', crash_steps: 0 });
    await enrolled('slow');
    const [other] = await otherOwners(on, 'me');
    expect(other).toMatchObject({ owner: 'slow', seenAt: 1, isRecent: false });
    const how = { isInDoubt: false, seenAt: other?.seenAt };
    await renew(on, 'slow');
    expect(await freeRunsOf(on, 'slow', how)).toBeUndefined();
    expect(await record.row('root')).toMatchObject({ status: 'running', owner: 'slow', crashes: 0 });
    expect([told, await workers()]).toEqual([[], ['slow']]);
    // By a clock that was set back, too.
    expect(await freeRunsOf(on, 'slow', { ...how, seenAt: NOW + 5 })).toBeUndefined();
    expect(await freeRunsOf(on, 'slow', { ...how, seenAt: NOW })).toBe(1);
    expect(await record.row('root')).toMatchObject({ status: 'queued', owner: null, crashes: 1 });
  });

  it('counts one death for each family, and none by a name that was given up before', async () => {
    await record.put({ id: 'root' });
    await child('child');
    await record.put({ id: 'other' });
    await dieWith(['root', 'child', 'other']);
    expect([await crashes('root'), await crashes('child'), await crashes('other')]).toEqual([1, 0, 1]);
    expect(await dieWith(['root'], { isKnown: false })).toBe(1);
    expect(await crashes('root')).toBe(1);
    expect(await record.row('root')).toMatchObject({ status: 'queued', owner: null });
  });

  it('is free, too, where the first run of its family is no longer on record', async () => {
    await record.put({ id: 'child', root_id: 'gone', parent_id: 'gone' });
    expect(await dieWith(['child'])).toBe(1);
    expect(await record.row('child')).toMatchObject({ status: 'queued', owner: null, crashes: 0 });
  });

  it('counts anew once any run of the family has got a step further, and not where it did the same again', async () => {
    await record.put({ id: 'root' });
    await child('child');
    await dieWith(['root', 'child']);
    await dieWith(['root']);
    expect(await crashes('root')).toBe(2);
    await completed('child', 'begun', 'failed');
    await dieWith(['root']);
    expect(await record.row('root')).toMatchObject({ status: 'failed', crashes: 3 });
  });

  it('is no step back by what is begun anew, and further once that is done again', async () => {
    await record.put({ id: 'root' });
    await child('child');
    await completed('child');
    await dieWith(['root', 'child']);
    await completed('root');
    await on.db.deleteFrom('runs_steps').where('run_id', '=', 'child').execute();
    await on.write((trx) => takeStepsBack(trx, 'root', 1));
    await dieWith(['root', 'child']);
    expect(await crashes('root')).toBe(1);
    await dieWith(['root', 'child']);
    expect(await crashes('root')).toBe(2);
    await completed('child');
    await dieWith(['root', 'child']);
    expect(await crashes('root')).toBe(1);
  });

  it('is further by a step of a child', async () => {
    await record.put({ id: 'root' });
    await child('child');
    await dieWith(['root']);
    await dieWith(['root']);
    await completed('child');
    await dieWith(['root']);
    expect(await record.row('root')).toMatchObject({ crashes: 1, crash_steps: 1, status: 'queued' });
    // The same child, begun anew by the step: what it does again was done before.
    await child('again');
    await completed('again');
    await dieWith(['root']);
    expect(await record.row('root')).toMatchObject({ crashes: 2, crash_steps: 1 });
    await child('another', { start_key: 'k' });
    await completed('another');
    await dieWith(['root']);
    expect(await record.row('root')).toMatchObject({ crashes: 1, crash_steps: 2 });
  });

  it('is further by a child that has ended, with no step more', async () => {
    await record.put({ id: 'root' });
    await child('child');
    await completed('child', 'answered before');
    await dieWith(['root']);
    await dieWith(['root']);
    const end = (id: string) =>
      on.db.updateTable('runs_runs').set({ status: 'completed' }).where('id', '=', id).execute();
    await end('child');
    await dieWith(['root']);
    expect(await record.row('root')).toMatchObject({ crashes: 1, status: 'queued' });
    await child('again');
    await end('again');
    await dieWith(['root']);
    expect(await crashes('root')).toBe(2);
  });

  it('ends whole by the third death, the last begun first, and says why', async () => {
    await record.put({ id: 'root', title: 'build', created_at: 1 });
    await child('child', { title: 'part', status: 'waiting' });
    await child('done', { status: 'completed', error: null });
    await record.put({ id: 'other', crashes: 1 });
    await dieWith(['root']);
    await dieWith(['root']);
    expect((await record.row('root')).status).toBe('queued');
    told.length = 0;
    expect(await dieWith(['root', 'other'])).toBe(2);
    for (const [id, title] of [
      ['root', 'build'],
      ['child', 'part'],
    ] as const) {
      const { status, error } = await record.row(id);
      expect(status).toBe('failed');
      expect(JSON.parse(error ?? '')).toMatchObject({
        code: 'NEXUS_CRASHED',
        message: expect.stringContaining(`3 server processes died while they ran "${title}"`),
        detail: { crashes: 3 },
      });
    }
    expect(told.filter((id) => id !== 'other').slice(-2)).toEqual(['child', 'root']);
    expect(await record.row('done')).toMatchObject({ status: 'completed' });
    expect((await record.row('other')).status).toBe('queued');
  });
});

describe('a job whose call has begun a run', () => {
  it('is judged by no death: what is left of it is to wait, or to tell', async () => {
    await record.put({ id: 'job_1', kind: 'nexus.job', crashes: 2 });
    await record.put({ id: 'run_1', start_key: `["test.kind","${stepKey('job_1', 'call')}"]` });
    await on.db
      .insertInto('runs_doubts')
      .values({ root_id: 'job_1', worker: 'w', until: NOW + 1 })
      .execute();
    await dieWith(['job_1'], { isInDoubt: true });
    expect(await record.row('job_1')).toMatchObject({ crashes: 0, status: 'queued', wake_at: NOW });
    expect(await doubts()).toEqual([]);
    // Its run is over: it tells of it less and less soon.
    await on.db
      .updateTable('runs_runs')
      .set({ status: 'completed', ended_at: NOW })
      .where('id', '=', 'run_1')
      .execute();
    for (let death = 1; death <= 4; death += 1) await dieWith(['job_1']);
    const { wake_at, status } = await record.row('job_1');
    expect(status).toBe('queued');
    expect(wake_at).toBeGreaterThan(NOW);
  });
});

describe('a death in doubt', () => {
  const FAMILY = { root_id: 'root', until: NOW + 10_000 };

  it('counts, and ends nothing until it is sure', async () => {
    await record.put({ id: 'root', crashes: 2 });
    await dieWith(['root'], { owner: 'one', isInDoubt: true });
    expect(await doubts()).toEqual([{ ...FAMILY, worker: 'one' }]);
    expect(await record.row('root')).toMatchObject({ crashes: 3, status: 'queued' });
    await endCrashed(on);
    expect((await record.row('root')).status).toBe('queued');
    await endCrashed(standingAt(on, NOW + 9_999));
    expect((await record.row('root')).status).toBe('queued');
    await endCrashed(standingAt(on, NOW + 10_000));
    expect((await record.row('root')).status).toBe('failed');
  });

  it('is none where the process is known to be dead, or its death counts for nothing', async () => {
    await record.put({ id: 'root' });
    await dieWith(['root'], { isInDoubt: false });
    await dieWith(['root'], { isKnown: false, isInDoubt: true });
    expect(await doubts()).toEqual([]);
  });

  it('is one for each family, and past once the family got further', async () => {
    await record.put({ id: 'root' });
    await record.put({ id: 'other' });
    await dieWith(['root', 'other'], { owner: 'one', isInDoubt: true });
    await dieWith(['root', 'other'], { owner: 'two', isInDoubt: true });
    expect((await doubts()).map(({ root_id, worker }) => `${root_id} ${worker}`)).toEqual([
      'other one',
      'other two',
      'root one',
      'root two',
    ]);
    await completed('root');
    await dieWith(['root'], { owner: 'three', isInDoubt: true });
    expect((await doubts()).map(({ root_id, worker }) => `${root_id} ${worker}`)).toEqual([
      'other one',
      'other two',
      'root three',
    ]);
  });

  it('of the same name for the same family is one', async () => {
    await record.put({ id: 'root' });
    await dieWith(['root'], { owner: 'one', isInDoubt: true });
    await dieWith(['root'], { owner: 'one', isInDoubt: true });
    expect(await doubts()).toHaveLength(1);
  });

  it('is taken back by a process that lives, of its own families alone, and no count falls below nothing', async () => {
    await record.put({ id: 'root', crashes: 2 });
    await record.put({ id: 'other', crashes: 2 });
    await record.put({ id: 'none', crashes: 0 });
    for (const [root_id, worker] of [
      ['root', 'lives'],
      ['none', 'lives'],
      ['other', 'dead'],
    ] as const) {
      await on.db
        .insertInto('runs_doubts')
        .values({ root_id, worker, until: NOW + 1 })
        .execute();
    }
    await takeDeathBack(on, 'lives');
    expect([await crashes('root'), await crashes('other'), await crashes('none')]).toEqual([1, 2, 0]);
    expect((await doubts()).map(({ worker }) => worker)).toEqual(['dead']);
    expect(told).toEqual(['none', 'root']);
    await takeDeathBack(on, 'lives');
    expect(await crashes('root')).toBe(1);
  });

  it('is forgotten long after it was settled', async () => {
    for (const [root_id, until] of [
      ['past', NOW - 600_000],
      ['lately', NOW - 599_999],
    ] as const) {
      await on.db.insertInto('runs_doubts').values({ root_id, worker: 'w', until }).execute();
    }
    await forgetDoubts(on);
    expect((await doubts()).map(({ root_id }) => root_id)).toEqual(['lately']);
  });
});

describe('families that processes died with', () => {
  it('are suspect from the second death on, each run of them, until they get further', async () => {
    await record.put({ id: 'once', crashes: 1 });
    await record.put({ id: 'root', crashes: 2 });
    await child('child');
    await record.put({ id: 'further', crashes: 2 });
    await completed('further');
    const suspects = await on.db
      .selectFrom('runs_runs')
      .select('id')
      .where(isSuspect('runs_runs'))
      .orderBy('id')
      .execute();
    expect(suspects.map(({ id }) => id)).toEqual(['child', 'root']);
  });
});

describe('how often processes have died with a family', () => {
  it('is that of all its runs together, each once, whether or not it got further since', async () => {
    await record.put({ id: 'root' });
    await child('child');
    await record.put({ id: 'other' });
    const dead = (owner: string, ids: readonly string[]) => dieWith(ids, { owner });
    expect(await deathsOf(on, ['root', 'child'])).toBe(0);
    await dead('one', ['root', 'child', 'other']);
    expect(await deathsOf(on, ['root', 'child'])).toBe(1);
    await completed('child');
    await dead('two', ['child', 'other']);
    await completed('child', 'another');
    await dead('three', ['root']);
    await dead('four', ['other']);
    expect(await deathsOf(on, ['root', 'child'])).toBe(3);
    expect([await deathsOf(on, ['root']), await deathsOf(on, ['child'])]).toEqual([2, 2]);
  });

  it('has none by a process that lives, though its family got further meanwhile', async () => {
    await record.put({ id: 'root' });
    await child('child');
    await record.put({ id: 'over' });
    await record.put({ id: 'beside' });
    await dieWith(['root', 'child', 'over', 'beside'], { owner: 'lives', isInDoubt: true });
    await dieWith(['beside'], { owner: 'another lives', isInDoubt: true });
    for (const id of ['over', 'child']) {
      await on.db.updateTable('runs_runs').set({ status: 'completed' }).where('id', '=', id).execute();
    }
    await dieWith(['root'], { owner: 'dead' });
    const paused = { type: 'run.paused', data: { why: 1, worker: 'lives' } };
    await on.write((trx) => addOutsideEvent(trx, on, 'beside', paused));
    await takeDeathBack(on, 'lives');
    expect([await deathsOf(on, ['root', 'child']), await deathsOf(on, ['child'])]).toEqual([1, 0]);
    expect(await deathsOf(on, ['beside'])).toBe(1);
    // What is over is gone on with by nobody, and stays as it is.
    expect(await deathsOf(on, ['over'])).toBe(1);
    const events = await on.db
      .selectFrom('runs_events')
      .select('data')
      .where('run_id', '=', 'beside')
      .execute();
    expect(events.map(({ data }) => JSON.parse(data ?? ''))).toEqual([
      { crashes: 0, worker: 'lives' },
      { crashes: 2, worker: 'another lives' },
      paused.data,
    ]);
  });

  it('has none by a process that left it in good order, nor by anything else that happened', async () => {
    await record.put({ id: 'root' });
    await dieWith(['root'], { isKnown: false });
    await on.write((trx) => addOutsideEvent(trx, on, 'root', { type: 'run.paused', data: { crashes: 1 } }));
    expect(await deathsOf(on, ['root'])).toBe(0);
  });
});

describe('families that processes died with once too often', () => {
  it('end where they are still open and got no further', async () => {
    await record.put({ id: 'root', status: 'queued', crashes: 3 });
    await child('child', { status: 'paused', crashes: 3 });
    await record.put({ id: 'twice', status: 'queued', crashes: 2 });
    await record.put({ id: 'further', status: 'queued', crashes: 3 });
    await completed('further');
    await record.put({ id: 'over', status: 'completed', crashes: 3 });
    await endCrashed(on);
    expect([await record.row('root'), await record.row('child')]).toMatchObject([
      { status: 'failed' },
      { status: 'failed' },
    ]);
    for (const id of ['twice', 'further']) expect((await record.row(id)).status).toBe('queued');
    expect((await record.row('over')).status).toBe('completed');
  });

  it.each([
    ['their processes live after all', (id: string) => on.write((trx) => forgetCrashes(trx, id))],
    ['one of these may live', (root_id: string) => putDoubt({ root_id, until: NOW + 1 })],
  ])('go on where it shows in time that %s', async (_, meanwhile) => {
    await record.put({ id: 'root', status: 'queued', crashes: 3 });
    const racing: RunDatabase = {
      ...on,
      async write(work) {
        await meanwhile('root');
        return on.write(work);
      },
    };
    await endCrashed(racing);
    expect((await record.row('root')).status).toBe('queued');
  });

  it('go on where a person says so, of one family alone', async () => {
    await record.put({ id: 'root', status: 'queued', crashes: 3 });
    await record.put({ id: 'other', status: 'queued', crashes: 3 });
    for (const root_id of ['root', 'other']) {
      await on.db
        .insertInto('runs_doubts')
        .values({ root_id, worker: 'w', until: NOW - 1 })
        .execute();
    }
    await on.write((trx) => forgetCrashes(trx, 'root'));
    expect((await doubts()).map(({ root_id }) => root_id)).toEqual(['other']);
    await endCrashed(on);
    expect([(await record.row('root')).status, (await record.row('other')).status]).toEqual([
      'queued',
      'failed',
    ]);
  });
});
