import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecord, type RecordUnderTest } from '../../test/record-of-runs.ts';
import { asOwner } from './fence.ts';
import { attemptsCutShort, beginStep, callOff } from './steps.ts';

let record: RecordUnderTest;
beforeAll(async () => {
  record = await openRecord();
});
afterAll(() => record[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const table of ['runs_runs', 'runs_steps', 'runs_events'] as const)
    await record.on.db.deleteFrom(table).execute();
  await record.put({ id: 'run', owner: 'me' });
});

const token = { runId: 'run', owner: 'me', epoch: 1 };
const step = { name: 's', title: 's', attempt: 1, digest: null, input: null, isRepeatable: false };
const events = async () =>
  (await record.on.db.selectFrom('runs_events').selectAll().orderBy('seq').execute()).map(
    ({ seq, type, attempt }) => `${seq} ${type} ${attempt}`,
  );

describe('a step that has only begun', () => {
  it('is under way from then on', async () => {
    await asOwner(record.on, token, [beginStep(record.on, token, { ...step, seq: 2 })]);
    expect(await record.step('run', 's')).toMatchObject({ status: 'running', is_repeatable: 0 });
    expect(await events()).toEqual(['2 step.started 1']);
  });

  it('is put off where its run ends by the time that its beginning is written', async () => {
    const isCalledOff = () => true;
    await asOwner(record.on, token, [beginStep(record.on, token, { ...step, seq: 2, isCalledOff })]);
    expect(await record.step('run', 's')).toMatchObject({ status: 'waiting', wake_at: expect.any(Number) });
    expect(await events()).toEqual(['2 step.interrupted 1']);
    expect(await attemptsCutShort(record.on, 'run', 's')).toBe(1);
  });

  it('is put off where its run ends before its work has begun', async () => {
    const changes = [
      beginStep(record.on, token, { ...step, seq: 2 }),
      callOff(record.on, token, { ...step, seq: 3 }),
    ];
    await asOwner(record.on, token, changes);
    expect(await record.step('run', 's')).toMatchObject({ status: 'waiting', wake_at: expect.any(Number) });
    expect(await events()).toEqual(['2 step.started 1', '3 step.interrupted 1']);
  });
});
