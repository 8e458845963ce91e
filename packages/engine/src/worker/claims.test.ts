import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { databases, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { claimRuns } from '../record/claiming.ts';
import { newRunId } from '../record/creating.ts';
import type { Capacity } from './capacity.ts';
import { createClaims } from './claims.ts';
import type { Hands } from './hands.ts';
import type { Kinds } from './kinds.ts';
import type { Rounds } from './rounds.ts';

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

  it('waits for what comes to be due while it takes what is', async () => {
    await using data = place();
    await using process = startEngine(data, []);
    const { id } = await process.runs.start(asked, null);
    const { on } = await process.engine.open();
    const inMs = (ms: number) => sql<number>`${on.store.now} + ${ms}`;
    await on.db
      .updateTable('runs_runs')
      .set({ wake_at: inMs(5_000) })
      .where('id', '=', id)
      .execute();
    const due: (number | undefined)[] = [];
    const claims = createClaims({
      on,
      log: { debug() {}, info() {}, warn: (text) => expect.unreachable(text), error() {} },
      kinds: { names: [asked], left: [] } as unknown as Kinds,
      hands: { presence: { id: 'here', joinSurely: async () => 'here' }, ids: [] } as unknown as Hands,
      capacity: {
        room: { runs: 10, jobs: 10 },
        mostOfProject: 10,
        // What was there to take is in hand; more comes to be due.
        weigh: () => data.ahead(6_000),
      } as unknown as Capacity,
      rounds: { atDue: (ms: number | undefined) => due.push(ms) } as unknown as Rounds,
      only: () => undefined,
    });
    await claims.tick();
    expect(due).toEqual([expect.toSatisfy((ms) => ms > 0 && ms <= 5_000)]);
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
