import { describe, expect, it } from 'vitest';
import { databases, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { machine } from '../ground.ts';
import { forgetOld } from './forgetting.ts';
import { JOB_KIND } from './job-kind.ts';
import { fromStored } from './values.ts';

const DAY_MS = 86_400_000;
const kind = kindOf((size: number, run) => run.step('s', () => 'x'.repeat(size)));
const waits = kindOf((_: null, run) => run.ask('go', { message: 'Go on?' }), { name: 'test.waits' });
const parent = kindOf((_: null, run) => run.child('c', { name: 'test.run', version: 1 }, 1), {
  name: 'test.parent',
});

const OF_A_RUN = [
  'runs_steps',
  'runs_events',
  'runs_questions',
  'runs_spending',
  'runs_calls',
  'runs_blobs',
  'runs_turns',
] as const;

const SPENT = {
  id: 'spent',
  step: 's',
  tokens: 1,
  micros: 1,
  is_settled: 1,
  epoch: 1,
  input_tokens: 1,
  output_tokens: 0,
  cached_tokens: 0,
  is_unpriced: 0,
  is_estimated: 0,
  is_kept: 0,
  interrupted: 0,
  digest: null,
  answer: null,
};

describe.each(databases)('what is forgotten, on $name', ({ place }) => {
  it('is not on record, and no fault, for who has read its row and comes for what was long of it', async () => {
    await using data = place();
    await using process = startEngine(data, [kind]);
    const { on } = await process.engine.open();
    const { id } = await ended(process.runs, await process.runs.start(kind, 100_000));
    const row = await on.db
      .selectFrom('runs_runs')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(await fromStored(on.db, id, row.output)).toHaveLength(100_000);
    data.ahead(31 * DAY_MS);
    await forgetOld(on);
    await expect(fromStored(on.db, id, row.output)).rejects.toMatchObject({
      code: 'NEXUS_NOT_FOUND',
      message: `No run ${id}: it never was, or its time on record is over. \`nexus runs\` lists them.`,
    });
  });

  it('has ended 30 days ago; what waits stays, however old', async () => {
    await using data = place();
    await using process = startEngine(data, [kind, waits]);
    const { on } = await process.engine.open();
    const old = await ended(process.runs, await process.runs.start(kind, 1));
    const waiting = await process.runs.start(waits, null);
    await expect.poll(async () => (await process.runs.get(waiting.id)).questions).toHaveLength(1);
    data.ahead(29 * DAY_MS);
    await forgetOld(on);
    expect((await process.runs.list({ limit: 9 })).runs.map(({ id }) => id)).toContain(old.id);
    data.ahead(2 * DAY_MS);
    await forgetOld(on);
    await expect(process.runs.get(old.id)).rejects.toMatchObject({ code: 'NEXUS_NOT_FOUND' });
    expect((await process.runs.get(waiting.id)).questions).toHaveLength(1);
    for (const table of ['runs_steps', 'runs_events', 'runs_blobs'] as const) {
      expect(await on.db.selectFrom(table).select('run_id').where('run_id', '=', old.id).execute()).toEqual(
        [],
      );
    }
  });

  it('is what the config says, but a job and what waits for somebody', async () => {
    await using data = place();
    await using process = startEngine(data, [kind, waits], { retention: { days: 3, families: 1 } });
    const { on } = await process.engine.open();
    const old = await ended(process.runs, await process.runs.start(kind, 1));
    const asked = await ended(process.runs, await process.runs.start(kind, 2));
    const waiting = await process.runs.start(waits, null);
    await expect.poll(async () => (await process.runs.get(waiting.id)).questions).toHaveLength(1);
    await on.db
      .updateTable('runs_runs')
      .set({ keep_ms: 5 * DAY_MS })
      .where('id', '=', asked.id)
      .execute();
    const left = async () => (await process.runs.list({ limit: 9 })).runs.map(({ id }) => id);
    await forgetOld(on, { days: 3 });
    data.ahead(2 * DAY_MS);
    await forgetOld(on, { days: 3 });
    expect(await left()).toHaveLength(3);
    data.ahead(DAY_MS + 60_000);
    await forgetOld(on, { days: 3 });
    expect(await left()).toEqual([waiting.id, asked.id]);
    await expect(process.runs.get(old.id)).rejects.toMatchObject({ code: 'NEXUS_NOT_FOUND' });
    data.ahead(40 * DAY_MS);
    await forgetOld(on, { days: 60 });
    expect(await left()).toEqual([waiting.id]);
  });

  it('is no job that was asked to stay for as long as runs do by themselves', async () => {
    await using data = place();
    await using process = startEngine(data, [kind]);
    const { on } = await process.engine.open();
    const job = await ended(process.runs, await process.runs.start(kind, 1));
    const run = await ended(process.runs, await process.runs.start(kind, 2));
    await on.db.updateTable('runs_runs').set({ kind: JOB_KIND }).where('id', '=', job.id).execute();
    data.ahead(4 * DAY_MS);
    await forgetOld(on, { days: 3 });
    await expect(process.runs.get(run.id)).rejects.toMatchObject({ code: 'NEXUS_NOT_FOUND' });
    expect(await process.runs.get(job.id)).toMatchObject({ status: 'completed' });
  });

  it('is taken by the worker as the config says', async () => {
    await using data = place();
    await using process = startEngine(data, [kind], {
      retention: { days: 3 },
      ground: { ...machine, now: () => machine.now() + aheadMs },
    });
    let aheadMs = 0;
    const old = await ended(process.runs, await process.runs.start(kind, 1));
    data.ahead(4 * DAY_MS);
    aheadMs = DAY_MS;
    await process.engine.adopt();
    const { on } = await process.engine.open();
    // Whoever asked for it would keep it.
    const left = () => on.db.selectFrom('runs_runs').select('id').where('id', '=', old.id).execute();
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  });

  it('is counted from its end, and not from its beginning', async () => {
    await using data = place();
    await using process = startEngine(data, [waits]);
    const { on } = await process.engine.open();
    const run = await process.runs.start(waits, null);
    await expect.poll(async () => (await process.runs.get(run.id)).questions).toHaveLength(1);
    data.ahead(60 * DAY_MS);
    await process.runs.answer(run.id, { action: 'accept' });
    await ended(process.runs, run);
    data.ahead(29 * DAY_MS);
    await forgetOld(on);
    expect(await process.runs.get(run.id)).toMatchObject({ status: 'completed' });
  });

  it('nobody has asked for since', async () => {
    await using data = place();
    await using process = startEngine(data, [kind]);
    const { on } = await process.engine.open();
    const run = await ended(process.runs, await process.runs.start(kind, 1));
    await on.db
      .updateTable('runs_runs')
      .set({ ended_at: Date.now() - 29 * DAY_MS })
      .where('id', '=', run.id)
      .execute();
    await process.runs.get(run.id);
    data.ahead(5 * DAY_MS);
    await forgetOld(on);
    expect(await process.runs.get(run.id)).toMatchObject({ status: 'completed' });
    data.ahead(31 * DAY_MS);
    await forgetOld(on);
    await expect(process.runs.get(run.id)).rejects.toMatchObject({ code: 'NEXUS_NOT_FOUND' });
  });

  it('is a family at once: with its children, though its first run be gone', async () => {
    await using data = place();
    await using process = startEngine(data, [kind, parent]);
    const { on } = await process.engine.open();
    const whole = await ended(process.runs, await process.runs.start(parent, null));
    const orphaned = await ended(process.runs, await process.runs.start(parent, null));
    await on.db.deleteFrom('runs_runs').where('id', '=', orphaned.id).execute();
    const left = () => on.db.selectFrom('runs_runs').select('root_id').execute();
    expect(await left()).toHaveLength(3);
    data.ahead(29 * DAY_MS);
    await forgetOld(on);
    expect((await left()).filter(({ root_id }) => root_id === whole.id)).toHaveLength(2);
    data.ahead(2 * DAY_MS);
    await forgetOld(on);
    expect(await left()).toEqual([]);
  });

  it('is nothing that another goes on from, which looks up what was done there however late it comes to it', async () => {
    await using data = place();
    const sent: number[] = [];
    let isMended = false;
    const sends = kindOf(
      async (_: null, run) => {
        const breaks = () => {
          if (!isMended) throw new Error('broken');
        };
        await run.step('breaks', breaks).catch(() => {});
        if (isMended) await run.ask('go', { message: 'Go on?' });
        await run.step('sends', () => sent.push(1), { input: null, isRepeatable: false });
        if (!isMended) throw new Error('broken at its end');
      },
      { name: 'test.sends' },
    );
    await using process = startEngine(data, [sends]);
    const { runs } = process;
    const { on } = await process.engine.open();
    const first = await ended(runs, await runs.start(sends, null));
    isMended = true;
    const next = await runs.takeUp(first.id);
    await expect.poll(async () => (await runs.get(next.id)).questions).toHaveLength(1);
    data.ahead(40 * DAY_MS);
    await forgetOld(on);
    await runs.answer(next.id, { action: 'accept' });
    expect(await ended(runs, next)).toMatchObject({ status: 'completed' });
    expect(sent).toHaveLength(1);
    // Both at once, the one that nothing goes on from first.
    data.ahead(31 * DAY_MS);
    await forgetOld(on);
    for (const { id } of [next, first]) {
      await expect(runs.get(id)).rejects.toMatchObject({ code: 'NEXUS_NOT_FOUND' });
    }
  });

  it('is in no table any more, nor is a process that has not been seen for a day', async () => {
    await using data = place();
    const asks = kindOf((_: null, run) => run.ask('go', { message: 'x'.repeat(20_000) }));
    await using process = startEngine(data, [asks]);
    const { on } = await process.engine.open();
    const { db } = on;
    const run = await process.runs.start(asks, null, { concurrency: { key: 'one' } });
    await expect.poll(async () => (await process.runs.get(run.id)).questions).toHaveLength(1);
    const count = async (table: (typeof OF_A_RUN)[number]) =>
      (await db.selectFrom(table).select('run_id').where('run_id', '=', run.id).execute()).length;
    await db
      .insertInto('runs_spending')
      .values({ ...SPENT, run_id: run.id, root_id: run.id })
      .execute();
    await db.insertInto('runs_blobs').values({ run_id: run.id, hash: 'x', content: 'x' }).execute();
    const called = { step: 's', nth: 0, tool: 't', digest: 'd', input: '{}', answer: '{}' };
    const addCall = () =>
      db
        .insertInto('runs_calls')
        .values({ ...called, run_id: run.id })
        .execute();
    await addCall();
    for (const table of OF_A_RUN) expect([table, await count(table)]).not.toEqual([table, 0]);
    await process.runs.answer(run.id, { action: 'decline' });
    await ended(process.runs, run);
    expect(await count('runs_turns')).toBe(0);
    // Gone with its end; of one that failed they are on record.
    expect(await count('runs_calls')).toBe(0);
    await addCall();
    const workers = async () =>
      (await db.selectFrom('runs_workers').select('id').execute()).map(({ id }) => id);
    await db.insertInto('runs_workers').values({ id: 'gone', host: '', pid: 1, seen_at: 1 }).execute();
    expect(await workers()).toContain('gone');
    data.ahead(31 * DAY_MS);
    await forgetOld(on);
    for (const table of OF_A_RUN) expect([table, await count(table)]).toEqual([table, 0]);
    expect(await workers()).not.toContain('gone');
  });

  it.each([
    { by: 'number', limits: { families: 3, bytes: 1e9 } },
    { by: 'size', limits: { families: 100, bytes: 250_000 } },
  ])('is the oldest that ended where there are too many by $by, but nothing fresh', async ({ limits }) => {
    await using data = place();
    await using process = startEngine(data, [kind, waits]);
    const { on } = await process.engine.open();
    const waiting = await process.runs.start(waits, null);
    await expect.poll(async () => (await process.runs.get(waiting.id)).questions).toHaveLength(1);
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      ids.push((await ended(process.runs, await process.runs.start(kind, 100_000))).id);
      data.ahead(1_000);
    }
    const left = async () => (await process.runs.list({ limit: 9 })).runs.map(({ id }) => id);
    await forgetOld(on, limits);
    expect(await left()).toHaveLength(5);
    data.ahead(3_600_000);
    await forgetOld(on, limits);
    expect(await left()).toEqual([ids[3], ids[2], waiting.id]);
  });
});
