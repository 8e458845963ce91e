import { describe, expect, it } from 'vitest';
import type { Outcome } from './judge.ts';
import { runSteps } from './run-steps.ts';
import type { Step } from './steps.ts';
import { NO_TESTS } from './test-counts.ts';

const step = (name: string, rest: Partial<Step> = {}): Step => ({
  name,
  command: ['x'],
  proves: 'y',
  ...rest,
});

/** Runs them by hand: each ends when the test says so, and all that can begin then has begun. */
function begin(steps: readonly Step[]) {
  const begun: string[] = [];
  const ends = new Map<string, (outcome: Outcome) => void>();
  const told: string[] = [];
  const result = runSteps(steps, {
    run: ({ name }) => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    },
    ended: (outcome) => told.push(`${outcome.step} ${outcome.status}`),
  });
  return {
    begun,
    told,
    result,
    async end(name: string, status: Outcome['status'] = 'passed') {
      ends.get(name)?.({ step: name, status, durationMs: 1, output: '', counts: NO_TESTS, failures: [] });
      await new Promise(setImmediate);
    },
  };
}

describe('runSteps', () => {
  it('runs two side by side, and the next when one ends', async () => {
    const { begun, end, result } = begin([step('a'), step('b'), step('c')]);
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    await end('c');
    await end('a');
    expect((await result).map(({ step: name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('runs one alone that fills the machine, and lets no later one overtake it', async () => {
    const { begun, end, result } = begin([
      step('a'),
      step('tests', { fillsMachine: true }),
      step('c'),
      step('d'),
    ]);
    expect(begun).toEqual(['a']);
    await end('a');
    expect(begun).toEqual(['a', 'tests']);
    await end('tests');
    expect(begun).toEqual(['a', 'tests', 'c', 'd']);
    await end('c');
    await end('d');
    expect(await result).toHaveLength(4);
  });

  it('waits for what a step needs, and meanwhile runs another', async () => {
    const { begun, end, result } = begin([step('build'), step('live', { needs: ['build'] }), step('c')]);
    expect(begun).toEqual(['build', 'c']);
    await end('build');
    expect(begun).toEqual(['build', 'c', 'live']);
    await end('c');
    await end('live');
    expect(await result).toHaveLength(3);
  });

  it('does not run what needs a failed step, nor what needs that', async () => {
    const { begun, end, result, told } = begin([
      step('build'),
      step('live', { needs: ['build'] }),
      step('last', { needs: ['live'] }),
    ]);
    await end('build', 'failed');
    expect((await result).map(({ status }) => status)).toEqual(['failed', 'not run', 'not run']);
    expect(begun).toEqual(['build']);
    expect(told).toEqual(['build failed', 'live not run', 'last not run']);
  });
});
