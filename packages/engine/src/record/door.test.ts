import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolError } from '@nexus/plugin-sdk';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { commitCutter } from '../../test/commit-cutter.ts';
import { counterOf, databases, ended, kindOf, newPlace, startEngine } from '../../test/engine-under-test.ts';
import { loseAnswers } from '../../test/lose-answers.ts';
import { createRun, newRunId } from './creating.ts';
import type { RunDatabase } from './run-database.ts';

afterEach(() => void vi.useRealTimers());

const away = () => new ToolError('NEXUS_STORE_UNAVAILABLE', 'The store is away.');
/** Each transaction is made twice: the first time its answer is lost. */
const everyFirst = (count: number) => count % 2 === 1;

const eventsOf = async ({ db }: RunDatabase) => {
  const rows = await db.selectFrom('runs_events').select(['run_id', 'type', 'step']).execute();
  return rows.map(({ run_id, type, step }) => `${run_id} ${type} ${step}`);
};

const form = {
  type: 'object',
  properties: { text: { type: 'string' }, size: { type: 'integer', default: 2 } },
};

describe.each(databases)('a write whose answer is lost, on $name', ({ place }) => {
  it('comes to the same when it is made again: a run with a child, a question and a budget', async () => {
    await using data = place();
    const count = counterOf();
    const child = kindOf((_: null, run) => run.step('in child', () => count.add('child')), {
      name: 'test.child',
    });
    const kind = kindOf((_: null, run) =>
      run.settle<unknown>([
        () =>
          run.step('pays', async ({ ledger }) => {
            const reservation = await ledger.reserve({ tokens: 60, costUsd: 0 }, 'a call');
            await reservation.settle({ tokens: 50, costUsd: 0 });
            return count.add('pays');
          }),
        () => run.child('child', child, null),
        () => run.ask('asks', { message: 'Well?', requestedSchema: form }),
      ]),
    );
    await using process = startEngine(data, [kind, child]);
    const { on } = await process.engine.open();
    loseAnswers(on, everyFirst);
    const start = { key: 'k', cap: { tokens: 100 } };
    const { id } = await process.runs.start(kind, null, start);
    expect((await process.runs.start(kind, null, start)).id).toBe(id);
    await expect.poll(async () => (await process.runs.get(id)).questions).toHaveLength(1);
    const answer = { action: 'accept' as const, content: { text: 'yes', size: 2 } };
    // Its default is filled in each time.
    const given = { ...answer, content: { text: 'yes' } };
    expect(await process.runs.answer(id, given)).toMatchObject({ status: 'answered', answer });
    expect(await ended(process.runs, id)).toMatchObject({
      status: 'completed',
      output: [{ value: 1 }, { value: 1 }, { value: answer }],
      budget: { spent: { tokens: 50 }, reserved: { tokens: 0 } },
    });
    expect(count.all).toEqual({ child: 1, pays: 1 });
    // Two runs, each begun by its own write and not found by a heartbeat later.
    expect(await on.db.selectFrom('runs_runs').select('epoch').execute()).toEqual([
      { epoch: 1 },
      { epoch: 1 },
    ]);
    const events = await eventsOf(on);
    expect(events).toHaveLength(new Set(events).size);
  });

  it('is the start of a run in the place of a cancelled one, with what that had done', async () => {
    await using data = place();
    const count = counterOf();
    const held = kindOf(
      async (_: null, run) => {
        await run.step('first', () => count.add('first'));
        return run.step('held', ({ signal, attempt }) =>
          count.add('held') > 1
            ? attempt
            : new Promise((_resolve, reject) =>
                signal.addEventListener('abort', () => reject(signal.reason)),
              ),
        );
      },
      { name: 'test.held' },
    );
    const kind = kindOf((_: null, run) => run.child('child', held, null));
    await using process = startEngine(data, [kind, held]);
    const { on } = await process.engine.open();
    loseAnswers(on, everyFirst);
    const { id } = await process.runs.start(kind, null, { key: 'k' });
    await expect.poll(() => count.all).toEqual({ first: 1, held: 1 });
    expect((await process.runs.cancel(id)).status).toBe('cancelled');
    const again = await process.runs.start(kind, null, { key: 'k' });
    expect(again).toMatchObject({ rerunOf: id });
    expect(await ended(process.runs, again)).toMatchObject({ status: 'completed', output: 1 });
    expect(count.all).toEqual({ first: 1, held: 2 });
  });

  it('is a claim: what it took goes on', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) => run.step('one', () => 1));
    await using first = startEngine(data, []);
    const runs = await Promise.all([first.runs.start(kind, null), first.runs.start(kind, null)]);
    await using next = startEngine(data, [kind]);
    loseAnswers((await next.engine.open()).on, everyFirst);
    await next.engine.adopt();
    for (const { id } of runs) expect(await ended(next.runs, id)).toMatchObject({ status: 'completed' });
    // By the claim itself, and not by the heartbeat that would find them later.
    const { on } = await next.engine.open();
    expect(await on.db.selectFrom('runs_runs').select('epoch').execute()).toEqual([
      { epoch: 1 },
      { epoch: 1 },
    ]);
  });
});

const [, postgres] = databases;
describe.skipIf(!postgres)('a connection to Postgres that breaks between a COMMIT and its answer', () => {
  it('costs neither a start nor a step nor a child, and doubles none', async () => {
    await using direct = newPlace(inject('databaseUrl'));
    // Each second one, whatever it is: a start, a beginning, an end.
    let isCutting = false;
    using cutter = await commitCutter(inject('databaseUrl'), (count) => isCutting && count % 2 === 0);
    const data = { ...direct, location: { ...direct.location, databaseUrl: cutter.url } };
    const count = counterOf();
    const child = kindOf((_: null, run) => run.step('in child', () => count.add(`${run.id} child`)), {
      name: 'test.child',
    });
    const kind = kindOf(
      async (_: null, run) => {
        for (let at = 0; at < 4; at += 1)
          await run.step(`s${at}`, () => count.add(`${run.id} ${at}`), { isRepeatable: false });
        return run.child('child', child, null);
      },
      { name: 'test.parent' },
    );
    await using process = startEngine(data, [kind, child]);
    await process.engine.open();
    isCutting = true;
    const starts = Array.from({ length: 6 }, (_, at) => process.runs.start(kind, null, { key: `k${at}` }));
    for (const { id } of await Promise.all(starts)) {
      expect(await ended(process.runs, id)).toMatchObject({ status: 'completed', output: 1 });
    }
    expect(cutter.cuts).toBeGreaterThan(6);
    expect(Object.values(count.all)).toEqual(Array.from({ length: 6 * 5 }, () => 1));
    const { on } = await process.engine.open();
    expect(await on.db.selectFrom('runs_runs').select('id').execute()).toHaveLength(12);
    const events = await eventsOf(on);
    expect(events).toHaveLength(new Set(events).size);
  });
});

describe.each(databases)('a run on record as a process’s that it has not in hand, on $name', ({ place }) => {
  it('is taken up by it, though nothing else runs there', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    await using data = place();
    const kind = kindOf((_: null, run) => run.step('one', () => 1));
    await using process = startEngine(data, [kind]);
    const { on, worker } = await process.engine.open();
    await worker.join();
    // As it is where the process gave up waiting for the answer to its start.
    loseAnswers(on, () => true);
    const start = on.waiting({ forMs: 0 });
    const id = newRunId(on.ground);
    const run = { id, kind: 'test.run', version: 1, title: 'unseen', input: null, keepMs: 60_000 };
    await expect(createRun(start, { ...run, owner: await worker.join() })).rejects.toMatchObject({
      code: 'NEXUS_STORE_UNAVAILABLE',
    });
    vi.restoreAllMocks();
    expect(worker.has(id)).toBe(false);
    await expect
      .poll(async () => {
        vi.advanceTimersByTime(5_000);
        return (await process.runs.get(id)).status;
      })
      .toBe('completed');
  });
});

describe.each(databases)('a run in hand that is not its process’s on record, on $name', ({ place }) => {
  it('is let go of, though nobody has told of it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    await using data = place();
    let told = false;
    const kind = kindOf((_: null, run) =>
      run.step('held', ({ signal }) => {
        const aborted = new Promise<never>((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
        return aborted.finally(() => {
          told = true;
        });
      }),
    );
    await using process = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, null);
    await expect.poll(async () => (await process.runs.get(id)).steps).toHaveLength(1);
    const { on, worker } = await process.engine.open();
    await on.db
      .updateTable('runs_runs')
      .set({ status: 'cancelled', owner: null, ended_at: on.store.now as never })
      .where('id', '=', id)
      .execute();
    expect([worker.has(id), told]).toEqual([true, false]);
    await expect
      .poll(() => {
        vi.advanceTimersByTime(5_000);
        return [worker.has(id), told];
      })
      .toEqual([false, true]);
  });
});

describe.each(databases)('a store that is away, on $name', ({ place }) => {
  it('is waited for by who reads', async () => {
    await using data = place();
    await using process = startEngine(data, []);
    const { on } = await process.engine.open();
    let asked = 0;
    expect(
      await on.ask(async () => {
        asked += 1;
        if (asked < 4) throw away();
        return on.db.selectFrom('runs_runs').select('id').execute();
      }),
    ).toEqual([]);
    expect(on.steadyMs).toBeLessThan(60_000);
  });

  it('is waited for until the time is over, or its signal or the process ends', async () => {
    await using data = place();
    await using process = startEngine(data, []);
    const { on } = await process.engine.open();
    const never = () => Promise.reject(away());
    await expect(on.waiting({ forMs: 50 }).ask(never)).rejects.toMatchObject({ code: away().code });
    const own = new AbortController();
    const waits = on.waiting({ signal: own.signal, forMs: Number.POSITIVE_INFINITY }).ask(never);
    own.abort(new Error('no more'));
    await expect(waits).rejects.toThrow('no more');
    const rest = on.ask(never);
    process.end();
    await expect(rest).rejects.toMatchObject({ code: away().code });
  });

  it('is no reason to wait where the query itself is at fault', async () => {
    await using data = place();
    await using process = startEngine(data, []);
    const { on } = await process.engine.open();
    await expect(
      on.db
        .selectFrom('nowhere' as never)
        .selectAll()
        .execute(),
    ).rejects.toThrow(/nowhere/);
    expect(on.steadyMs).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('the record', () => {
  it('has one door: no other source begins a transaction', () => {
    const folder = fileURLToPath(new URL('..', import.meta.url));
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) =>
        file.endsWith('.ts') &&
        !file.endsWith('.test.ts') &&
        /\.transaction\(/.test(readFileSync(join(folder, file), 'utf8')),
    );
    expect(found).toEqual([join('record', 'door.ts')]);
  });
});
