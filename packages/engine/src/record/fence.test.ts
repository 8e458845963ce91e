import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecord, type RecordUnderTest } from '../../test/record-of-runs.ts';
import { asOwner, holdRun, LostRun, type RunToken, saveMessage, standingOf } from './fence.ts';

let record: RecordUnderTest;
let runId: string;
let token: RunToken;
let next = 1;

beforeAll(async () => {
  record = await openRecord();
});
afterAll(() => record[Symbol.asyncDispose]());
beforeEach(async () => {
  runId = `run_${next++}`;
  token = { runId, owner: 'me', epoch: 3 };
  await record.put({ id: runId, owner: 'me', epoch: 3, bytes: 100, message: 'before' });
  await record.put({ id: `${runId}_beside`, owner: 'me', epoch: 3, bytes: 7, message: 'beside' });
});

/** A change that leaves something behind. */
const title = (text: string) => ({
  async work(trx: Parameters<Parameters<RecordUnderTest['on']['write']>[0]>[0]) {
    await trx.updateTable('runs_runs').set({ title: text }).where('id', '=', runId).execute();
    return text;
  },
});
const inTransaction = (what: (trx: never) => Promise<void>) =>
  record.on.write(async (trx) => what(trx as never));

/** Every way by which an owner writes. */
const WAYS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a change', () => asOwner(record.on, token, [title('changed')])],
  ['a change that makes it grow', () => asOwner(record.on, token, [{ ...title('changed'), grown: 5 }])],
  [
    'what is done while it is held',
    () =>
      inTransaction(async (trx) => {
        await holdRun(trx, record.on, token);
        await title('changed').work(trx);
      }),
  ],
  ['what it says of itself', () => saveMessage(record.on, token, 'changed')],
];

const LOST: readonly (readonly [string, () => object])[] = [
  ['another process’s', () => ({ owner: 'other' })],
  ['nobody’s', () => ({ owner: null })],
  ['claimed again by the same process', () => ({ epoch: 4 })],
  ['as it was under an earlier claim', () => ({ epoch: 2 })],
  ['paused', () => ({ status: 'paused' })],
  ['queued', () => ({ status: 'queued' })],
  ['completed', () => ({ status: 'completed' })],
];

describe.each(WAYS)('%s', (_, write) => {
  it('is on record where the run is the writer’s, and touches no other run', async () => {
    await write();
    const { title: now, message, updated_at } = await record.row(runId);
    expect([now, message]).toContain('changed');
    expect(updated_at).toBeGreaterThan(1);
    expect(await record.row(`${runId}_beside`)).toMatchObject({ bytes: 7, message: 'beside', updated_at: 1 });
  });

  it.each(LOST)('is not, and says so, where the run is %s', async (__, now) => {
    await record.on.db.updateTable('runs_runs').set(now()).where('id', '=', runId).execute();
    const before = await record.row(runId);
    await expect(write()).rejects.toThrow(LostRun);
    await expect(write()).rejects.toThrow(`run ${runId} is no longer this process's (epoch 3)`);
    expect(await record.row(runId)).toEqual(before);
  });

  it('is not where there is no such run', async () => {
    token = { ...token, runId: 'run_none' };
    await expect(write()).rejects.toThrow(LostRun);
  });
});

describe('changes of a run’s owner', () => {
  it('are made in their order, each with its result, and count up what is kept once', async () => {
    const results = await asOwner(record.on, token, [
      { ...title('one'), grown: 5 },
      title('two'),
      { ...title('three'), grown: 20 },
    ]);
    expect(results).toEqual(['one', 'two', 'three']);
    expect(await record.row(runId)).toMatchObject({ title: 'three', bytes: 125 });
  });

  it('leave what is kept as it was where nothing grew, and count nothing as nothing', async () => {
    await asOwner(record.on, token, [title('one')]);
    expect((await record.row(runId)).bytes).toBe(100);
    await asOwner(record.on, token, [{ ...title('two'), grown: 0 }]);
    expect((await record.row(runId)).bytes).toBe(100);
    expect(await asOwner(record.on, token, [])).toEqual([]);
  });

  it.each([
    ['no disk where a power cut may take each of them', [true, true], 1],
    ['the disk where it may not take the first', [false, true], 0],
    ['the disk where it may not take the last', [true, false], 0],
    ['the disk where nothing is said of that', [undefined], 0],
  ] as const)('wait for %s', async (_, sparable, times) => {
    let without = 0;
    const withoutDisk = async () => {
      without += 1;
    };
    const on = {
      ...record.on,
      store: Object.create(record.on.store, { withoutDisk: { value: withoutDisk } }),
    };
    const changes = sparable.map((isSparable) => ({
      ...title('changed'),
      ...(isSparable === undefined ? {} : { isSparable }),
    }));
    await asOwner(on, token, changes);
    expect(without).toBe(times);
  });

  it('are all made or none', async () => {
    const before = await record.row(runId);
    const failing = asOwner(record.on, token, [
      { ...title('one'), grown: 5 },
      { work: () => Promise.reject(new Error('the second fails')) },
    ]);
    await expect(failing).rejects.toThrow('the second fails');
    expect(await record.row(runId)).toEqual(before);
  });

  it('begin none where the run is lost', async () => {
    await record.on.db.updateTable('runs_runs').set({ epoch: 4 }).where('id', '=', runId).execute();
    let begun = 0;
    const work = async () => {
      begun += 1;
    };
    await expect(asOwner(record.on, token, [{ work }, { work, grown: 1 }])).rejects.toThrow(LostRun);
    expect(begun).toBe(0);
  });
});

it('says how a run stands and whose it is, and of none that there is none', async () => {
  expect(await standingOf(record.on, runId)).toEqual({ status: 'running', owner: 'me', epoch: 3 });
  await record.put({ id: `${runId}_free`, status: 'queued', epoch: 7 });
  expect(await standingOf(record.on, `${runId}_free`)).toEqual({ status: 'queued', owner: null, epoch: 7 });
  expect(await standingOf(record.on, 'run_none')).toBeUndefined();
});

describe('a lost run', () => {
  it('is told from any other fault', () => {
    expect(new LostRun({ runId: 'run_1', owner: 'me', epoch: 2 })).toMatchObject({ name: 'LostRun' });
  });
});
