import { describe, expect, it } from 'vitest';
import { databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { machine } from '../ground.ts';

/** The look that comes by time is far away: what is asked is asked because of what happens. */
const ground = {
  ...machine,
  after: (ms: number, call: () => void) => machine.after(ms < 1_000 ? ms : 3_600_000, call),
};

describe.each(databasesByTurns)('a process that does what it began itself, on $name', ({ place }) => {
  it('asks the record nothing beside the writes and reads of the run and of who waits for it', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) => run.step('one', () => 1));
    await using process = startEngine(data, [kind], { ground });
    const { on } = await process.engine.open();
    const whole = async () => ended(process.runs, await process.runs.start(kind, null));
    await whole();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const asked: string[] = [];
    const executor = on.db.getExecutor();
    const execute = executor.executeQuery.bind(executor);
    executor.executeQuery = (query) => {
      asked.push(query.sql);
      return execute(query);
    };
    expect(await whole()).toMatchObject({ status: 'completed' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(asked).toEqual([]);
  });
});
