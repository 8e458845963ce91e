import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { databases, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { endRun } from './ending.ts';
import { holdRun } from './fence.ts';
import { leaveRun } from './leaving.ts';

const child = kindOf((_: null, run) => run.ask('go', { message: 'Go on?' }), { name: 'test.child' });
const parent = kindOf((_: null, run) => run.child('c', { name: 'test.child', version: 1 }, null), {
  name: 'test.parent',
});

/** Not `Promise.withResolvers`: Node 20 has none. */
function gate() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

// On SQLite there is one writer: the one is over before the other begins.
describe.each(databases.filter(({ name }) => name === 'Postgres'))(
  'a run that is left, on $name',
  ({ place }) => {
    it('is woken by a child that another process ends in the middle of that', async () => {
      await using data = place();
      await using first = startEngine(data, [parent, child]);
      await using second = startEngine(data, [parent, child]);
      const { on } = await first.engine.open();
      const { on: elsewhere } = await second.engine.open();
      const { id } = await first.runs.start(parent, null);
      await expect.poll(async () => (await first.runs.get(id)).asks?.length).toBe(1);
      const rows = await on.db.selectFrom('runs_runs').selectAll().execute();
      const [above, below] = [rows.find((row) => row.id === id), rows.find((row) => row.parent_id === id)];
      const token = { runId: id, owner: above?.owner ?? '', epoch: above?.epoch ?? 0 };
      const read = gate();
      const goOn = gate();
      const leaving = on.write(async (trx) => {
        await holdRun(trx, on, token);
        await leaveRun(on, token, { status: 'waiting' }).work(trx);
        read.resolve();
        await goOn.promise;
      });
      await read.promise;
      const ending = elsewhere.write((trx) =>
        endRun(trx, elsewhere, below?.id ?? '', { status: 'completed', output: 'done' }),
      );
      // So long it may go past the one that leaves, if it can.
      await Promise.race([ending, delay(300)]);
      goOn.resolve();
      await Promise.all([leaving, ending]);
      await first.engine.adopt();
      expect(await ended(first.runs, id, 5_000)).toMatchObject({ status: 'completed', output: 'done' });
    });
  },
);
