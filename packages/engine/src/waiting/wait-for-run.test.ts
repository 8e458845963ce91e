import { describe, expect, it } from 'vitest';
import { type Ground, machine } from '../ground.ts';
import type { RunDatabase } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';
import { createChanges } from '../worker/changes.ts';
import { waitForRun } from './wait-for-run.ts';

const ID = 'run_1';

/** A run that somebody waits for, and how often it was looked at. */
function waited({ isAtWork, ground = machine }: { isAtWork: boolean; ground?: Ground }) {
  const changes = createChanges(machine);
  let status = 'running';
  const looks: string[] = [];
  const watched = {
    on: { ground } as RunDatabase,
    changes,
    isThere: async () => true,
    isAtWork: () => isAtWork,
    follow() {},
    watch() {},
    async find() {
      looks.push(status);
      return { id: ID, root_id: ID, status } as RunRow;
    },
  };
  const signal = new AbortController();
  return {
    looks,
    changes,
    give: (reason: Error) => signal.abort(reason),
    end() {
      status = 'completed';
      changes.changed(ID, ID);
    },
    wait: (waitMs?: number) =>
      waitForRun(watched, ID, { signal: signal.signal, ...(waitMs === undefined ? {} : { waitMs }) }),
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a run that is at work here', () => {
  it('is looked at once where it is over at once', async () => {
    // Whose timers never fire: nothing but what it is told wakes it.
    const ground = { ...machine, after: () => machine.after(0, () => {}) };
    const run = waited({ isAtWork: true, ground });
    const over = run.wait();
    run.end();
    expect((await over).status).toBe('completed');
    expect(run.looks).toEqual(['completed']);
  });

  it('is looked at soon where nobody tells of it, and again once it is over', async () => {
    const run = waited({ isAtWork: true });
    const over = run.wait();
    expect(run.looks).toEqual([]);
    while (run.looks.length === 0) await pause(5);
    run.changes.changed('run_2', 'run_2');
    await pause(30);
    expect(run.looks).toEqual(['running']);
    run.end();
    await over;
    expect(run.looks).toEqual(['running', 'completed']);
  });

  it('is looked at in any case by who waits for no longer', async () => {
    const run = waited({ isAtWork: true });
    expect((await run.wait(0)).status).toBe('running');
    expect(run.looks.length).toBeGreaterThan(0);
  });

  it('is not looked at by who gives up before', async () => {
    const run = waited({ isAtWork: true });
    const over = run.wait();
    run.give(new Error('no longer'));
    await expect(over).rejects.toThrow('no longer');
    expect(run.looks).toEqual([]);
  });
});

it('is looked at at once where it is not at work here', async () => {
  const run = waited({ isAtWork: false });
  const over = run.wait();
  expect(run.looks).toEqual(['running']);
  run.give(new Error('no longer'));
  await expect(over).rejects.toThrow();
});
