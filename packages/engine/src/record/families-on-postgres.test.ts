import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { databases, startEngine } from '../../test/engine-under-test.ts';
import { rowOf } from '../../test/record-of-runs.ts';
import { claimRuns } from './claiming.ts';
import { freeRunsOf } from './families.ts';
import { enrol } from './workers.ts';

const request = {
  ...{ self: undefined, except: [], lacking: [], only: undefined, suspect: undefined },
  kinds: [{ name: 'test.kind', version: 1 }],
  owner: async () => 'me',
  room: { runs: 10, jobs: 10 },
  mostOfProject: 10,
} as const;

// On SQLite there is one writer: the one is over before the other begins.
describe.each(databases.filter(({ name }) => name === 'Postgres'))(
  'a family of which two want the runs, on $name',
  ({ place }) => {
    it('is freed by one alone, its first run before the others', async () => {
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

    it('is left to whoever is at its first run, and nobody waits for that', async () => {
      await using data = place();
      await using process = startEngine(data, []);
      const { on } = await process.engine.open();
      const of = { root_id: 'root', status: 'queued', wake_at: 1 } as const;
      for (const id of ['child', 'root']) {
        await on.db
          .insertInto('runs_runs')
          .values(rowOf({ id, ...of }))
          .execute();
      }
      const [claimed] = await on.db.transaction().execute(async (trx) => {
        const root = on.db.selectFrom('runs_runs').select('id').where('id', '=', 'root');
        await trx.executeQuery(root.forUpdate());
        return Promise.race([Promise.all([claimRuns(on, request)]), delay(2_000, [])]);
      });
      expect(claimed).toEqual({ runs: [], isCut: true, isProjectFull: false });
      const { runs } = await claimRuns(on, request);
      expect(runs.map(({ run }) => run.id).sort()).toEqual(['child', 'root']);
      // With no family beside those in hand.
      await on.db
        .insertInto('runs_runs')
        .values(rowOf({ id: 'late', ...of }))
        .execute();
      const late = await claimRuns(on, { ...request, self: 'me' });
      expect(late.runs.map(({ run }) => run.id)).toEqual(['late']);
    });
  },
);
