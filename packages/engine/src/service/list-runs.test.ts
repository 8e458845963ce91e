import { expect, it } from 'vitest';
import { kindOf, newPlace, startEngine } from '../../test/engine-under-test.ts';
import { machine } from '../ground.ts';
import { newRunId } from '../record/creating.ts';

const gone = { name: 'test.gone', version: 1 };

it('the runs of a status are all counted, however many of them are shown', async () => {
  await using data = newPlace(undefined);
  await using process = startEngine(data, [kindOf(async () => {})]);
  const first = await process.runs.start(gone, null);
  const { on } = await process.engine.open();
  const row = await on.db.selectFrom('runs_runs').selectAll().executeTakeFirstOrThrow();
  for (let batch = 0; batch < 6; batch += 1) {
    const rows = Array.from({ length: 100 }, () => {
      const id = newRunId(machine);
      return { ...row, id, root_id: id, created_at: Number(row.created_at) + 1 };
    });
    await on.db.insertInto('runs_runs').values(rows).execute();
  }
  const queued = await process.runs.list({ status: 'queued', limit: 5 });
  expect(queued.total).toBe(601);
  expect(queued.runs).toHaveLength(5);
  expect(queued.runs.map(({ id }) => id)).not.toContain(first.id);
  expect(await process.runs.list({ status: 'running', limit: 5 })).toEqual({ runs: [], total: 0 });
});
