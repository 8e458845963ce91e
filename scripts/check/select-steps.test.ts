import { describe, expect, it } from 'vitest';
import { type Selection, selectSteps } from './select-steps.ts';
import { steps } from './steps.ts';

const select = (asked: Partial<Selection>) => selectSteps(steps, { only: [], also: [], ...asked });
const names = (asked: Partial<Selection>) => select(asked).map((step) => step.name);

describe('selectSteps', () => {
  it('selects every step when none is named, but those on request', () => {
    expect(select({})).toEqual(steps.filter(({ onRequest }) => !onRequest));
    expect(names({})).not.toContain('slow');
  });

  it('adds those on request to all others', () => {
    expect(
      select({ also: ['new-plugin', 'slow', 'simulate-slow', 'mutate', 'measures', 'growth', 'day'] }),
    ).toEqual(steps);
  });

  it('selects a step on request alone, with what it needs', () => {
    expect(names({ only: ['slow'] })).toEqual(['build', 'slow']);
  });

  it('keeps the order of the steps, not of the names', () => {
    expect(names({ only: ['unit', 'lint'] })).toEqual(['lint', 'unit']);
  });

  it('adds what a named step needs', () => {
    expect(names({ only: ['e2e'] })).toEqual(['build', 'e2e']);
  });

  it.each(['only', 'also'])('names the nearest step when there is none of that name: %s', (where) => {
    expect(() => select({ [where]: ['typs'] })).toThrow('Did you mean "types"?');
  });
});

describe('steps', () => {
  it('need only steps that come before them', () => {
    const all = steps.map((step) => step.name);
    for (const [index, { needs }] of steps.entries()) {
      expect(all.slice(0, index)).toEqual(expect.arrayContaining([...(needs ?? [])]));
    }
  });
});
