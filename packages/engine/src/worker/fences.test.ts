import { afterEach, describe, expect, it, vi } from 'vitest';
import { counterOf, databases, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { asOwner, LostRun, type RunToken, saveMessage } from '../record/fence.ts';
import type { RunDatabase, RunTransaction } from '../record/run-database.ts';

const held = kindOf((_: null, run) =>
  run.step(
    'held',
    ({ signal }) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  ),
);

const rowOf = ({ db }: RunDatabase, id: string) =>
  db.selectFrom('runs_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

afterEach(() => void vi.useRealTimers());

describe.each(databases)('the right to a run that goes on, on $name', ({ place }) => {
  it('is the last owner’s in its last epoch, and nobody’s beside', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    await using data = place();
    await using stalled = startEngine(data, [held]);
    const { id } = await stalled.runs.start(held, null);
    await expect.poll(async () => (await stalled.runs.get(id)).steps.length).toBe(1);
    const { on } = await stalled.engine.open();
    const before = await rowOf(on, id);
    data.ahead(31_000);
    await using next = startEngine(data, [held]);
    await next.engine.adopt();
    await expect.poll(async () => (await rowOf(on, id)).epoch).toBe(before.epoch + 1);
    const now = await rowOf(on, id);
    expect(now.status).toBe('running');
    const titled = {
      work: (trx: RunTransaction) =>
        trx.updateTable('runs_runs').set({ title: 'changed' }).where('id', '=', id).execute(),
    };
    const title = async () => (await rowOf(on, id)).title;
    const titleBefore = await title();
    for (const write of [
      (token: RunToken) => asOwner(on, token, [titled]),
      (token: RunToken) => asOwner(on, token, [{ ...titled, grown: 1 }]),
      (token: RunToken) => saveMessage(on, token, 'written'),
    ]) {
      const as = (owner: string | null, epoch: number) => write({ runId: id, owner: owner ?? '', epoch });
      await expect(as(before.owner, before.epoch)).rejects.toThrow(LostRun);
      await expect(as(now.owner, before.epoch)).rejects.toThrow(LostRun);
      await expect(as(before.owner, now.epoch)).rejects.toThrow(LostRun);
      expect([await title(), (await rowOf(on, id)).message]).toEqual([titleBefore, null]);
    }
    const token = { runId: id, owner: now.owner ?? '', epoch: now.epoch };
    await asOwner(on, token, [titled]);
    await saveMessage(on, token, 'written');
    expect(await rowOf(on, id)).toMatchObject({ title: 'changed', message: 'written' });
  });

  it('is renewed for as long as its process lives, longer than a lease', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    await using data = place();
    await using living = startEngine(data, [held]);
    const { id } = await living.runs.start(held, null);
    const { on } = await living.engine.open();
    const seenAt = async () =>
      Number((await on.db.selectFrom('runs_workers').select('seen_at').executeTakeFirstOrThrow()).seen_at);
    for (let third = 0; third < 3; third += 1) {
      const before = await seenAt();
      data.ahead(20_000);
      vi.advanceTimersByTime(5_000);
      await expect.poll(seenAt).toBeGreaterThanOrEqual(before + 20_000);
    }
    await using other = startEngine(data, [held]);
    const { worker } = await other.engine.open();
    await other.engine.adopt();
    await worker.tick();
    expect(await rowOf(on, id)).toMatchObject({ status: 'running', epoch: 1, crashes: 0 });
  });

  it('lasts through a step of more than three leases, with an answer in its middle: one call', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    await using data = place();
    const count = counterOf();
    let finish = () => {};
    const kind = kindOf((_: null, run) =>
      run.parallel<unknown>([
        () =>
          run.step('long', () => {
            count.add('called');
            return new Promise<string>((resolve) => {
              finish = () => resolve('done');
            });
          }),
        () => run.ask('meanwhile', { message: 'Still wanted?' }),
      ]),
    );
    await using living = startEngine(data, [kind]);
    await using other = startEngine(data, [kind]);
    await other.engine.adopt();
    const { id } = await living.runs.start(kind, null);
    const { on } = await living.engine.open();
    const { worker } = await other.engine.open();
    await expect.poll(async () => (await living.runs.get(id)).questions).toHaveLength(1);
    const seenAt = async () =>
      Number((await on.db.selectFrom('runs_workers').select('seen_at').executeTakeFirstOrThrow()).seen_at);
    for (let at = 0; at < 5; at += 1) {
      const before = await seenAt();
      data.ahead(20_000);
      vi.advanceTimersByTime(5_000);
      await expect.poll(seenAt).toBeGreaterThanOrEqual(before + 20_000);
      await worker.tick();
      if (at === 2) await living.runs.answer(id, { action: 'accept' });
    }
    finish();
    expect(await ended(living.runs, id)).toMatchObject({ output: ['done', { action: 'accept' }] });
    expect(count.all).toEqual({ called: 1 });
    expect(await rowOf(on, id)).toMatchObject({ epoch: 1, crashes: 0 });
  });

  it('ends with its lease, where the process that has it is there and says nothing', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    await using data = place();
    await using silent = startEngine(data, [held]);
    const { id } = await silent.runs.start(held, null);
    const { on } = await silent.engine.open();
    data.ahead(29_000);
    await using early = startEngine(data, [held]);
    const { worker } = await early.engine.open();
    await early.engine.adopt();
    await worker.tick();
    expect(await rowOf(on, id)).toMatchObject({ epoch: 1, crashes: 0 });
    data.ahead(2_000);
    await using late = startEngine(data, [held]);
    await late.engine.adopt();
    await expect.poll(async () => (await rowOf(on, id)).epoch).toBe(2);
    expect(await rowOf(on, id)).toMatchObject({ status: 'running', crashes: 1 });
  });

  it('is free at once where its process has died, lease or not', async () => {
    await using data = place();
    const dead = startEngine(data, [held]);
    const { id } = await dead.runs.start(held, null);
    const { on: deadOn, worker: deadWorker } = await dead.engine.open();
    const gone = crypto.randomUUID();
    // Its row is fresh, and nobody holds its name: as a killed process leaves it.
    await deadOn.db
      .updateTable('runs_workers')
      .set({ id: gone })
      .where('id', '=', await deadWorker.join())
      .execute();
    await deadOn.db.updateTable('runs_runs').set({ owner: gone }).where('id', '=', id).execute();
    await using next = startEngine(data, [held]);
    const { on } = await next.engine.open();
    await next.engine.adopt();
    await expect.poll(async () => (await rowOf(on, id)).epoch).toBe(2);
    await dead.engine.stop(100);
    await dead.store.close();
  });
});
