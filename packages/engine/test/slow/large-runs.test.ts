import { describe, expect, it } from 'vitest';
import { databases, ended, kindOf, startEngine } from '../engine-under-test.ts';

const TURN_BYTES = 256 * 1024;

describe.each(databases)('a large run, on $name', ({ place }) => {
  it('has 1 001 steps, and answers every one from the record at the next process', async () => {
    await using data = place();
    let worked = 0;
    let mayEnd = false;
    const kind = kindOf(async (_: null, run) => {
      let sum = 0;
      for (let at = 1; at <= 1_001; at += 1) {
        sum += await run.step(`s${at}`, () => {
          worked += 1;
          return at;
        });
      }
      if (!mayEnd) {
        await run.step(
          'held',
          ({ signal }) =>
            new Promise<never>((_resolve, reject) =>
              signal.addEventListener('abort', () => reject(signal.reason)),
            ),
        );
      } else await run.step('held', () => null);
      return sum;
    });
    const first = startEngine(data, [kind]);
    const { id } = await first.runs.start(kind, null);
    await expect
      .poll(async () => (await first.runs.get(id)).steps.length, { timeout: 120_000, interval: 500 })
      .toBe(1_002);
    await first.die();
    mayEnd = true;
    await using next = startEngine(data, [kind]);
    await next.engine.adopt();
    expect(await ended(next.runs, id)).toMatchObject({ status: 'completed', output: 501_501 });
    expect(worked).toBe(1_001);
  });

  it('of 200 turns of 256 KiB grows in a line', async () => {
    await using data = place();
    const kind = kindOf(async (_: null, run) => {
      for (let turn = 1; turn <= 200; turn += 1) {
        await run.step(`turn-${turn}`, () => `${turn}`.padEnd(TURN_BYTES, 'x'));
      }
    });
    await using process = startEngine(data, [kind]);
    const { id } = await ended(process.runs, await process.runs.start(kind, null));
    const { on } = await process.engine.open();
    const { bytes } = await on.db
      .selectFrom('runs_runs')
      .select('bytes')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(Number(bytes)).toBeGreaterThanOrEqual(200 * TURN_BYTES);
    expect(Number(bytes)).toBeLessThan(200 * TURN_BYTES * 1.05);
    const rows = await on.db.selectFrom('runs_blobs').select('hash').where('run_id', '=', id).execute();
    expect(rows).toHaveLength(200);
  });
});
