import { describe, expect, it } from 'vitest';
import { databases, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { claimRuns } from '../record/claiming.ts';
import { newRunId } from '../record/creating.ts';

const kind = kindOf((_: null, run) => run.step('one', () => 1));
const asked = { name: 'test.run', version: 1 };

describe.each(databases)('a claim, on $name', ({ name, place }) => {
  it.runIf(name === 'Postgres')('leaves to another what that one is at, and comes back for it', async () => {
    await using data = place();
    await using before = startEngine(data, []);
    const { id } = await before.runs.start(asked, null);
    const { on } = await before.engine.open();
    let letGo = () => {};
    const mayGo = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let isLocked = () => {};
    const locked = new Promise<void>((resolve) => {
      isLocked = resolve;
    });
    const other = on.db.transaction().execute(async (trx) => {
      await trx.selectFrom('runs_runs').select('id').where('id', '=', id).forUpdate().execute();
      isLocked();
      await mayGo;
    });
    await locked;
    await using process = startEngine(data, [kind]);
    const { worker } = await process.engine.open();
    await process.engine.adopt();
    // One that went round and round would never end.
    await worker.tick();
    expect(worker.has(id)).toBe(false);
    letGo();
    await other;
    expect(await ended(process.runs, id)).toMatchObject({ status: 'completed' });
  });

  it('of a job that processes have died with takes no place of the project', async () => {
    await using data = place();
    await using process = startEngine(data, []);
    await process.runs.start(asked, null);
    const { on } = await process.engine.open();
    const row = await on.db.selectFrom('runs_runs').selectAll().executeTakeFirstOrThrow();
    const id = newRunId(on.ground, 'job');
    await on.db
      .updateTable('runs_runs')
      .set({ id, root_id: id, crashes: 2 })
      .where('id', '=', row.id)
      .execute();
    const claimed = await claimRuns(on, {
      owner: async () => 'here',
      self: undefined,
      kinds: [asked],
      except: [],
      lacking: [],
      room: { runs: 10, jobs: 10 },
      mostOfProject: 1,
      only: undefined,
      suspect: undefined,
    });
    expect(claimed.runs.map(({ run }) => run.id)).toEqual([id]);
    expect(claimed.isProjectFull).toBe(false);
  });
});
