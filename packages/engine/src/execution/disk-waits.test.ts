import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { RunContext } from '@nexus/plugin-sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ended, kindOf, newPlace, startEngine } from '../../test/engine-under-test.ts';

/** What the disk took, and what was done, in their order. */
const happened: string[] = [];

beforeEach(() => {
  const { fdatasyncSync } = fs;
  vi.spyOn(fs, 'fdatasyncSync').mockImplementation((descriptor) => {
    happened.push('disk');
    fdatasyncSync(descriptor);
  });
  // What imports it by its name has it too.
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/**
 * Does the run several times: the first of a process also begins what it is known by, and on a busy machine what ends
 * together may be written apart, or a heartbeat between, which only adds to what a run waits for.
 */
async function happens(run: (context: RunContext) => Promise<unknown>): Promise<string[]> {
  const kind = kindOf((_: null, context) => run(context));
  await using place = newPlace(undefined);
  await using process = startEngine(place, [kind]);
  const runs: string[][] = [];
  for (let time = 1; time <= 5; time += 1) {
    happened.length = 0;
    expect((await ended(process.runs, await process.runs.start(kind, null))).status).toBe('completed');
    runs.push([...happened]);
  }
  const [shortest = []] = runs.slice(1).sort((a, b) => a.length - b.length);
  return shortest;
}

const does = (name: string) => async () => void happened.push(name);

describe('a run on SQLite waits for the disk', () => {
  it('twice where its steps go side by side and may be done again: as it begins and as it ends', async () => {
    const steps = ['a', 'b', 'c'];
    const run = async ({ event, parallel, step }: RunContext) => {
      await event('begun', { steps });
      await parallel(steps.map((name) => () => step(name, does(name))));
    };
    expect(await happens(run)).toEqual(['disk', 'a', 'b', 'c', 'disk']);
  });

  it('before a step that must not be done twice', async () => {
    const run = ({ step }: RunContext) => step('a', does('a'), { isRepeatable: false });
    expect(await happens(run)).toEqual(['disk', 'disk', 'a', 'disk', 'disk']);
  });

  it('before a step goes on from where it must not be done twice', async () => {
    const run = ({ step }: RunContext) =>
      step('a', async ({ onlyOnce }) => {
        happened.push('a');
        await onlyOnce();
        happened.push('goes on');
      });
    expect(await happens(run)).toEqual(['disk', 'a', 'disk', 'goes on', 'disk', 'disk']);
  });

  it('before a step that stands on what an earlier one came to, or on a value of the run', async () => {
    const run = async ({ step, uuid }: RunContext) => {
      await step('a', does('a'));
      await step('b', does('b'));
      await uuid('key');
      await step('c', does('c'));
    };
    expect(await happens(run)).toEqual(['disk', 'a', 'disk', 'b', 'disk', 'c', 'disk']);
  });
});
