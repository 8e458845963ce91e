import { describe, expect, it } from 'vitest';
import { databases, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { forgetOld } from './forgetting.ts';

const DAY_MS = 86_400_000;
const kind = kindOf((size: number, run) => run.step('s', () => 'x'.repeat(size)));
const waits = kindOf((_: null, run) => run.ask('go', { message: 'Go on?' }), { name: 'test.waits' });

describe.each(databases)('what is forgotten, on $name', ({ place }) => {
  it('has ended and is older than 30 days; what waits stays, however old', async () => {
    await using data = place();
    await using process = startEngine(data, [kind, waits]);
    const { on } = await process.engine.open();
    const old = await ended(process.runs, await process.runs.start(kind, 1));
    const waiting = await process.runs.start(waits, null);
    await expect.poll(async () => (await process.runs.get(waiting.id)).questions).toHaveLength(1);
    data.ahead(29 * DAY_MS);
    await forgetOld(on);
    expect(await process.runs.get(old.id)).toMatchObject({ status: 'completed' });
    data.ahead(2 * DAY_MS);
    await forgetOld(on);
    await expect(process.runs.get(old.id)).rejects.toMatchObject({ code: 'NEXUS_NOT_FOUND' });
    expect((await process.runs.get(waiting.id)).questions).toHaveLength(1);
    for (const table of ['runs_steps', 'runs_events'] as const) {
      expect(await on.db.selectFrom(table).select('run_id').where('run_id', '=', old.id).execute()).toEqual(
        [],
      );
    }
  });

  it.each([
    { by: 'number', limits: { families: 3, bytes: 1e9 } },
    { by: 'size', limits: { families: 100, bytes: 250_000 } },
  ])('is the oldest that ended where there are too many by $by', async ({ limits }) => {
    await using data = place();
    await using process = startEngine(data, [kind, waits]);
    const { on } = await process.engine.open();
    const waiting = await process.runs.start(waits, null);
    await expect.poll(async () => (await process.runs.get(waiting.id)).questions).toHaveLength(1);
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      ids.push((await ended(process.runs, await process.runs.start(kind, 100_000))).id);
      data.ahead(1_000);
    }
    await forgetOld(on, limits);
    const left = (await process.runs.list({ limit: 9 })).runs.map(({ id }) => id);
    expect(left).toEqual([ids[3], ids[2], waiting.id]);
  });
});
