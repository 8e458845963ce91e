import { ToolError } from '@nexus/plugin-sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { counterOf, databases, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { asOwner } from '../record/fence.ts';

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

afterEach(() => void vi.useRealTimers());

describe.each(databases)('a run of a process that is gone, on $name', ({ place }) => {
  it('is taken over, and what the old process still writes is refused', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    await using data = place();
    let finish = (_: string) => {};
    let told: unknown;
    const slow = kindOf((_: null, run) =>
      run.step('slow', ({ signal, attempt }) => {
        if (attempt > 1) return 'by the next';
        signal.addEventListener('abort', () => {
          told = signal.reason;
        });
        return new Promise((resolve) => {
          finish = resolve;
        });
      }),
    );
    await using stalled = startEngine(data, [slow]);
    const run = await stalled.runs.start(slow, null);
    await expect.poll(async () => (await stalled.runs.get(run.id)).steps.length).toBe(1);
    const { on } = await stalled.engine.open();
    const row = await on.db
      .selectFrom('runs_runs')
      .selectAll()
      .where('id', '=', run.id)
      .executeTakeFirstOrThrow();
    // The lease runs out while the process is stopped, name and all.
    data.ahead(31_000);
    await using next = startEngine(data, [slow]);
    await next.engine.adopt();
    expect(await ended(next.runs, run)).toMatchObject({ status: 'completed', output: 'by the next' });
    const late = { runId: run.id, owner: row.owner ?? '', epoch: row.epoch };
    await expect(asOwner(on, late, [])).rejects.toThrow(/no longer this process/);
    // By its next heartbeat at the latest.
    vi.advanceTimersByTime(5_000);
    await expect.poll(() => told, { timeout: 10_000 }).toBeInstanceOf(ToolError);
    finish('by the late one');
    expect((await next.runs.get(run.id)).output).toBe('by the next');
  });

  it('goes to one of several that look for it', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf(async (_: null, run) => {
      await run.step('once', () => count.add('once'));
      return run.step('held', ({ signal, attempt }) =>
        attempt > 1 ? count.add('held') : untilAborted(signal),
      );
    });
    const first = startEngine(data, [kind]);
    const runs = await Promise.all(Array.from({ length: 5 }, () => first.runs.start(kind, null)));
    await expect.poll(() => count.all).toEqual({ once: 5 });
    for (const { id } of runs) {
      await expect
        .poll(async () => (await first.runs.get(id)).steps.map(({ name }) => name))
        .toEqual(['once', 'held']);
    }
    await first.engine.stop(500);
    await first.store.close();
    await using one = startEngine(data, [kind]);
    await using other = startEngine(data, [kind]);
    await Promise.all([one.engine.adopt(), other.engine.adopt()]);
    for (const run of runs) expect(await ended(one.runs, run)).toMatchObject({ status: 'completed' });
    expect(count.all).toEqual({ once: 5, held: 5 });
  });

  it('that began it while others had nothing to do is soon taken over by one of those', async () => {
    await using data = place();
    const held = kindOf((_: null, run) =>
      run.step('held', ({ signal, attempt }) => (attempt > 1 ? 'by the next' : untilAborted(signal))),
    );
    await using idle = startEngine(data, [held]);
    await idle.engine.adopt();
    await idle.runs.list({ limit: 1 });
    await using dying = startEngine(data, [held]);
    const { id } = await dying.runs.start(held, null);
    await expect.poll(async () => (await dying.runs.get(id)).steps.length).toBe(1);
    await dying.die();
    // Nobody waits for it there, so nobody looks for its sake; the next look without cause is in 15 s.
    await expect
      .poll(async () => (await idle.runs.get(id)).output, { timeout: 10_000, interval: 200 })
      .toBe('by the next');
  });

  it('that may not be repeated is of unknown outcome, and is not done again', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf((_: null, run) =>
      run.step(
        'pay',
        ({ signal }) => {
          count.add('pay');
          return untilAborted(signal);
        },
        { isRepeatable: false },
      ),
    );
    const first = startEngine(data, [kind]);
    const run = await first.runs.start(kind, null);
    await expect.poll(() => count.all).toEqual({ pay: 1 });
    await first.engine.stop(500);
    await first.store.close();
    await using next = startEngine(data, [kind]);
    await next.engine.adopt();
    expect(await ended(next.runs, run)).toMatchObject({ error: { code: 'NEXUS_OUTCOME_UNKNOWN' } });
    expect(count.all).toEqual({ pay: 1 });
  });

  it('is said to be run by nobody until then', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) => run.step('held', ({ signal }) => untilAborted(signal)));
    const first = startEngine(data, [kind]);
    const run = await first.runs.start(kind, null);
    expect((await first.runs.get(run.id)).status).toBe('running');
    await first.die();
    await using looks = startEngine(data, [kind]);
    expect(await looks.runs.get(run.id)).toMatchObject({ status: 'queued' });
    expect((await looks.runs.list({ status: 'queued', limit: 5 })).total).toBe(1);
  });

  it('ends when several processes died with it, and is run beside no other such one before', async () => {
    await using data = place();
    const running = new Set<string>();
    let most = 0;
    const kind = kindOf((_: null, run) =>
      run.step('work', async () => {
        running.add(run.id);
        most = Math.max(most, running.size);
        await new Promise((resolve) => setTimeout(resolve, 20));
        running.delete(run.id);
      }),
    );
    await using process = startEngine(data, []);
    const { on } = await process.engine.open();
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      ids.push((await process.runs.start({ name: 'test.run', version: 1 }, null)).id);
    }
    const [last = '', ...suspects] = ids;
    const gone = { status: 'running', owner: crypto.randomUUID(), crashes: 2 } as const;
    await on.db.insertInto('runs_workers').values({ id: gone.owner, host: '', pid: 1, seen_at: 1 }).execute();
    await on.db.updateTable('runs_runs').set(gone).where('id', '=', last).execute();
    await on.db.updateTable('runs_runs').set({ crashes: 2 }).where('id', 'in', suspects).execute();
    await using next = startEngine(data, [kind]);
    await next.engine.adopt();
    expect(await ended(next.runs, last)).toMatchObject({
      status: 'failed',
      error: { code: 'NEXUS_CRASHED' },
    });
    for (const id of suspects) expect(await ended(next.runs, id)).toMatchObject({ status: 'completed' });
    expect(most).toBe(1);
  });

  it('lives on under another name where others took its process for dead', async () => {
    await using data = place();
    const kind = kindOf(async (_: null, run) => run.step('one', () => 1));
    await using process = startEngine(data, [kind]);
    await ended(process.runs, await process.runs.start(kind, null));
    const { on, worker } = await process.engine.open();
    const before = await worker.join();
    await on.db.deleteFrom('runs_workers').execute();
    data.ahead(60_000);
    expect(await ended(process.runs, await process.runs.start(kind, null))).toMatchObject({ output: 1 });
    expect(before).toBeTruthy();
  });
});
