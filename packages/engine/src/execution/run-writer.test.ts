import { type RunContext, ToolError } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { addOutsideEvent } from '../record/events.ts';
import { asOwner, type OwnerChange, type RunToken } from '../record/fence.ts';
import { leaveRun } from '../record/leaving.ts';
import type { RunDatabase } from '../record/run-database.ts';
import { beginStep } from '../record/steps.ts';
import { Delivery } from './delivery.ts';
import { RunWriter } from './run-writer.ts';

const quick = (run: RunContext, names: readonly string[]) =>
  names.map((name) => () => run.step(name, () => name));

const stepsOf = async ({ db }: RunDatabase) => {
  const rows = await db.selectFrom('runs_steps').select(['name', 'status']).execute();
  return Object.fromEntries(rows.map(({ name, status }) => [name, status]));
};

/** Does something in each transaction after what it writes, and once it was undone. */
function aroundCommits(
  { db }: RunDatabase,
  { onWritten = () => {}, onUndone = () => {} }: { onWritten?: () => void; onUndone?: () => void },
): void {
  const { transaction } = db;
  vi.spyOn(db, 'transaction').mockImplementation(() => {
    const real = transaction.call(db);
    const executeReal = real.execute.bind(real);
    const execute: typeof executeReal = (work) =>
      executeReal(async (trx) => {
        const result = await work(trx);
        onWritten();
        return result;
      }).catch((error: unknown) => {
        // Whoever wrote it knows by then.
        setImmediate(onUndone);
        throw error;
      });
    return Object.assign(real, { execute });
  });
}

/** Makes the database refuse every row that says that this step has ended well. */
async function refuseEnd({ db, store }: RunDatabase, name: string): Promise<void> {
  const isIt = sql.raw(`new.name = '${name}' and new.status = 'completed'`);
  if (store.dialect === 'sqlite') {
    await sql`create trigger refused before update on runs_steps when ${isIt} begin select raise(abort, 'refused'); end`.execute(
      db,
    );
    return;
  }
  await sql`create function refuse() returns trigger language plpgsql as $$ begin if ${isIt} then raise exception 'refused'; end if; return new; end $$`.execute(
    db,
  );
  await sql`create trigger refused before update on runs_steps for each row execute function refuse()`.execute(
    db,
  );
}

/** No work takes any time by it. */
const stopTheClock = () => void vi.useFakeTimers({ toFake: ['performance'] });
afterEach(() => void vi.useRealTimers());

describe.each(databasesByTurns)('what a run writes, on $name', ({ place }) => {
  it('is one transaction for steps side by side, and for an end with what comes of it', async () => {
    stopTheClock();
    await using data = place();
    const kind = kindOf(async (_: null, run) => {
      await run.parallel(quick(run, ['a', 'b', 'c', 'd']));
      for (let at = 0; at < 10; at += 1) await run.step(`s${at}`, () => at);
      await run.random();
      await run.event('said');
    });
    await using process = startEngine(data, [kind]);
    const { on } = await process.engine.open();
    const commits = vi.spyOn(on.db, 'transaction');
    await ended(process.runs, await process.runs.start(kind, null));
    // The run's creation; the four begin; they end and s0 begins; s0 to s9 end, each with the next or the run's end.
    expect(commits).toHaveBeenCalledTimes(1 + 1 + 10 + 1);
  });

  it('of very much at once is several, so that no other process waits long', async () => {
    stopTheClock();
    await using data = place();
    const names = Array.from({ length: 200 }, (_, at) => `s${at}`);
    const kind = kindOf((_: null, run) => run.parallel(quick(run, names)));
    await using process = startEngine(data, [kind]);
    const { on } = await process.engine.open();
    const commits = vi.spyOn(on.db, 'transaction');
    expect(await ended(process.runs, await process.runs.start(kind, null))).toMatchObject({ output: names });
    const leastOf64 = 2 * Math.ceil(names.length / 64);
    expect(commits.mock.calls.length).toBeGreaterThanOrEqual(leastOf64);
    expect(commits.mock.calls.length).toBeLessThan(3 * leastOf64);
  });

  it('is never far behind a run that goes on ahead of it', async () => {
    stopTheClock();
    await using data = place();
    let most = 0;
    const kind = kindOf(async (_: null, run) => {
      for (let at = 0; at < 300; at += 1) {
        await run.event(`e${at}`, at);
        const { length } = Object.keys(await stepsOf(other));
        most = Math.max(most, at + 1 - length);
      }
    });
    await using process = startEngine(data, [kind]);
    await using witness = startEngine(data, [kind]);
    const { on: other } = await witness.engine.open();
    await ended(process.runs, await process.runs.start(kind, null));
    expect(most).toBeLessThanOrEqual(65);
  });

  it('is whole for the run that goes on ahead of it, however large', async () => {
    await using data = place();
    const large = 'x'.repeat(20_000);
    const seen: unknown[] = [];
    const kind = kindOf(async (_: null, run) => {
      seen.push(await run.step('large', () => ({ large })));
      await run.event('said', { large });
    });
    await using process = startEngine(data, [kind]);
    expect(await ended(process.runs, await process.runs.start(kind, null))).toMatchObject({
      status: 'completed',
    });
    expect(seen).toEqual([{ large }]);
  });

  it('is on record before anything that stands on it begins', async () => {
    await using data = place();
    const seen: unknown[] = [];
    const kind = kindOf(async (_: null, run) => {
      await run.step('one', () => 1);
      await run.step('two', async () => seen.push(await stepsOf(other)));
      return 'done';
    });
    await using process = startEngine(data, [kind]);
    await using witness = startEngine(data, [kind]);
    const { on: other } = await witness.engine.open();
    const run = await ended(process.runs, await process.runs.start(kind, null));
    expect(run.output).toBe('done');
    expect(seen).toEqual([{ one: 'completed', two: 'running' }]);
    expect(await stepsOf(other)).toEqual({ one: 'completed', two: 'completed' });
    expect((await witness.runs.get(run.id)).output).toBe('done');
  });

  it('is on record before the run is told of it, where it can’t be had again for nothing', async () => {
    await using data = place();
    const seen: unknown[] = [];
    const kind = kindOf(async (_: null, run) => {
      await run.step('once', () => 1, { isRepeatable: false });
      seen.push(await stepsOf(other));
      await run.step('long', () => {
        const until = performance.now() + 25;
        while (performance.now() < until);
      });
      seen.push(await stepsOf(other));
    });
    await using process = startEngine(data, [kind]);
    await using witness = startEngine(data, [kind]);
    const { on: other } = await witness.engine.open();
    await ended(process.runs, await process.runs.start(kind, null));
    expect(seen).toEqual([{ once: 'completed' }, { once: 'completed', long: 'completed' }]);
  });

  it('is not held back by a run that computes for long on what it was told', async () => {
    stopTheClock();
    await using data = place();
    const begunWrites: number[] = [];
    const kind = kindOf((_: null, run) =>
      run.parallel(
        quick(run, ['a', 'b', 'c']).map((work) => async () => {
          await work();
          begunWrites.push(commits.mock.calls.length);
          vi.advanceTimersByTime(15);
        }),
      ),
    );
    await using process = startEngine(data, [kind]);
    const { on } = await process.engine.open();
    const commits = vi.spyOn(on.db, 'transaction');
    await ended(process.runs, await process.runs.start(kind, null));
    const [first = 0, ...later] = begunWrites;
    expect(later).toEqual([first + 1, first + 1]);
  });

  it('counts for the run’s size, each of them', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) =>
      run.parallel(['a', 'b', 'c'].map((name) => () => run.step(name, () => name.padEnd(1_000)))),
    );
    await using process = startEngine(data, [kind]);
    const { on } = await process.engine.open();
    await ended(process.runs, await process.runs.start(kind, null));
    const { bytes } = await on.db.selectFrom('runs_runs').select('bytes').executeTakeFirstOrThrow();
    expect(Number(bytes)).toBeGreaterThanOrEqual(3_000);
  });

  it('is made again whole where all of it was undone', async () => {
    stopTheClock();
    await using data = place();
    const kind = kindOf((_: null, run) => run.parallel(quick(run, ['a', 'b', 'c'])));
    await using process = startEngine(data, [kind]);
    const { on } = await process.engine.open();
    let made = 0;
    aroundCommits(on, {
      onWritten() {
        made += 1;
        if (made === 2 || made === 4) throw new ToolError('NEXUS_STORE_UNAVAILABLE', 'The disk is full.');
      },
    });
    expect(await ended(process.runs, await process.runs.start(kind, null))).toMatchObject({
      output: ['a', 'b', 'c'],
    });
    expect(made).toBe(5);
    expect(await stepsOf(on)).toEqual({ a: 'completed', b: 'completed', c: 'completed' });
  });

  it('loses only the step whose end is refused: it has failed, and its siblings have not', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) =>
      run.settle(['a', 'bad', 'c'].map((name) => () => run.step(name, () => name, { isRepeatable: false }))),
    );
    await using process = startEngine(data, [kind]);
    const { on } = await process.engine.open();
    await refuseEnd(on, 'bad');
    expect(await ended(process.runs, await process.runs.start(kind, null))).toMatchObject({
      status: 'completed',
      output: [{ value: 'a' }, { status: 'rejected' }, { value: 'c' }],
    });
    expect(await stepsOf(on)).toEqual({ a: 'completed', bad: 'failed', c: 'completed' });
  });

  it('ends as failed where it went on from an end that is refused, with what else was done on record', async () => {
    await using data = place();
    let went = false;
    const kind = kindOf(async (_: null, run) => {
      await run.parallel(quick(run, ['a', 'bad', 'c']));
      await run.step('next', () => {
        went = true;
      });
    });
    await using process = startEngine(data, [kind]);
    const { on } = await process.engine.open();
    await refuseEnd(on, 'bad');
    expect(await ended(process.runs, await process.runs.start(kind, null))).toMatchObject({
      status: 'failed',
      error: {
        code: 'NEXUS_INTERNAL',
        message: expect.stringMatching(/"bad" answered can't be kept: .*refused/),
      },
    });
    expect(await stepsOf(on)).toEqual({ a: 'completed', bad: 'running', c: 'completed' });
    expect(went).toBe(false);
  });
});

describe.each(databasesByTurns)('a run whose budget is spent, on $name', ({ place }) => {
  const spends = (name: string, run: RunContext) =>
    run.step(name, async ({ ledger }) => {
      const reservation = await ledger.reserve({ tokens: 10, costUsd: 2 }, 'a call');
      await reservation.settle({ tokens: 10, costUsd: 2 });
      return name;
    });

  it('is on record as paused with the step that is put off', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) => spends('two', run));
    await using process = startEngine(data, [kind]);
    const { on } = await process.engine.open();
    const commits = vi.spyOn(on.db, 'transaction');
    const run = await process.runs.start(kind, null, { cap: { costUsd: 1 } });
    expect(await ended(process.runs, run)).toMatchObject({ status: 'paused' });
    // Its creation, the step's beginning, the reservation, and both of these.
    expect(commits).toHaveBeenCalledTimes(4);
  });

  it('keeps what a step comes to that ends while it pauses', async () => {
    await using data = place();
    let worked = 0;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const kind = kindOf((_: null, run) =>
      run.parallel([
        () => spends('two', run),
        () =>
          run.step('one', async () => {
            await finished;
            worked += 1;
            return 'one';
          }),
      ]),
    );
    await using process = startEngine(data, [kind]);
    await process.engine.adopt();
    const { on } = await process.engine.open();
    const { id } = await process.runs.start(kind, null, { cap: { costUsd: 1 } });
    await expect.poll(() => stepsOf(on)).toEqual({ one: 'running', two: 'waiting' });
    finish();
    expect(await ended(process.runs, id)).toMatchObject({ status: 'paused' });
    expect(await stepsOf(on)).toEqual({ one: 'completed', two: 'waiting' });
    await process.runs.resume(id, { cap: { costUsd: 9 } });
    expect(await ended(process.runs, id)).toMatchObject({ status: 'completed', output: ['two', 'one'] });
    expect(worked).toBe(1);
  });
});

describe.each(databasesByTurns)('a run that has ended by a refused end, on $name', ({ place }) => {
  it('does so also where it had its own end, and waits for work that is left', async () => {
    await using data = place();
    let letGo = () => {};
    const refused = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const kind = kindOf(async (_: null, run) => {
      run.step('left', () => refused).catch(() => {});
      await run.step('bad', () => null);
      return 'done';
    });
    await using process = startEngine(data, [kind]);
    const { on } = await process.engine.open();
    await refuseEnd(on, 'bad');
    aroundCommits(on, { onUndone: () => letGo() });
    expect(await ended(process.runs, await process.runs.start(kind, null))).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('"bad"') },
    });
  });
});

describe.each(databasesByTurns)('changes of a run’s owner, on $name', ({ place }) => {
  const held = kindOf((_: null, run) =>
    run.step(
      'held',
      ({ signal }) => new Promise<never>((_resolve, reject) => signal.addEventListener('abort', reject)),
    ),
  );
  const titled = (title: string): OwnerChange => ({
    work: (trx) => trx.updateTable('runs_runs').set({ title }).execute(),
  });

  async function ownerOf(process: ReturnType<typeof startEngine>) {
    const { id } = await process.runs.start(held, null);
    await expect.poll(async () => (await process.runs.get(id)).steps.length).toBe(1);
    const { on } = await process.engine.open();
    const row = () =>
      on.db.selectFrom('runs_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const { owner, epoch } = await row();
    const token: RunToken = { runId: id, owner: owner ?? '', epoch };
    return { on, row, token };
  }

  it('are made all or none', async () => {
    await using data = place();
    await using process = startEngine(data, [held]);
    const { on, row, token } = await ownerOf(process);
    const { title } = await row();
    const refused: OwnerChange = { work: () => Promise.reject(new Error('no')) };
    await expect(asOwner(on, token, [titled('one'), refused])).rejects.toThrow('no');
    expect((await row()).title).toBe(title);
    await asOwner(on, token, [titled('one'), titled('two')]);
    expect((await row()).title).toBe('two');
  });

  it('lose no event whose number somebody else has taken, and have none twice', async () => {
    await using data = place();
    await using process = startEngine(data, [held]);
    const { on, token } = await ownerOf(process);
    const events = () =>
      on.db
        .selectFrom('runs_events')
        .select(['seq', 'type', 'step'])
        .where('run_id', '=', token.runId)
        .orderBy('seq')
        .execute();
    const last = (await events()).at(-1)?.seq ?? 0;
    await asOwner(on, token, [
      { work: (trx) => addOutsideEvent(trx, on, token.runId, { type: 'question.answered', step: 'ask' }) },
    ]);
    const next = ['one', 'two'].map((name, at) =>
      beginStep(on, token, {
        name,
        title: name,
        attempt: 1,
        seq: last + 1 + at,
        digest: null,
        input: null,
        isRepeatable: true,
      }),
    );
    await asOwner(on, token, next);
    // As where the answer to the commit was lost.
    await asOwner(on, token, next);
    expect((await events()).slice(last)).toEqual([
      { seq: last + 1, type: 'question.answered', step: 'ask' },
      { seq: last + 2, type: 'step.started', step: 'one' },
      { seq: last + 3, type: 'step.started', step: 'two' },
    ]);
  });

  it('end with the one that gives the run up', async () => {
    await using data = place();
    await using process = startEngine(data, [held]);
    const { on, row, token } = await ownerOf(process);
    const onLost = vi.fn();
    const delivery = new Delivery([], { ground: on.ground, onDeparture() {} });
    const writer = new RunWriter({
      on,
      token,
      seq: 100,
      delivery,
      onLost,
      onBroken() {},
    });
    const before = writer.write(() => titled('before'));
    const left = writer.write(() => leaveRun(on, token, { status: 'queued' }));
    void writer.write(() => titled('after'));
    await Promise.all([before, left]);
    await expect.poll(() => onLost.mock.calls).toHaveLength(1);
    expect(await row()).toMatchObject({ title: 'before', status: 'queued', owner: null });
  });
});
