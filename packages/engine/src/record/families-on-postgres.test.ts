import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { databases, startEngine } from '../../test/engine-under-test.ts';
import { rowOf } from '../../test/record-of-runs.ts';
import { freeRunsOf } from './families.ts';
import { enrol } from './workers.ts';

// On SQLite there is one writer: the one is over before the other begins.
describe.each(databases.filter(({ name }) => name === 'Postgres'))(
  'a family that a dead process left, on $name',
  ({ place }) => {
    it('is had by one alone, its first run before the others', async () => {
      await using data = place();
      await using process = startEngine(data, []);
      const { on } = await process.engine.open();
      await enrol(on, 'dead');
      // The child stands first in the table, so that whoever takes what comes would take it first.
      const of = { root_id: 'root', status: 'running', owner: 'dead' } as const;
      for (const id of ['child', 'root']) {
        await on.db
          .insertInto('runs_runs')
          .values(rowOf({ id, ...of }))
          .execute();
      }
      const lock = (id: string) =>
        on.db.selectFrom('runs_runs').select('id').where('id', '=', id).forUpdate();
      let isFree = false;
      let freeing: Promise<unknown> = Promise.resolve();
      await on.db.transaction().execute(async (trx) => {
        await trx.executeQuery(lock('root'));
        freeing = freeRunsOf(on, 'dead', { isInDoubt: false });
        void freeing.then(() => {
          isFree = true;
        });
        // So long it may take the child, if it can.
        await delay(300);
        const { rows } = await trx.executeQuery(lock('child').skipLocked());
        expect(rows).toHaveLength(1);
        expect(isFree).toBe(false);
      });
      expect(await freeing).toBe(2);
    });
  },
);
