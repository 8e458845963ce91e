import { describe, expect, it } from 'vitest';
import { selectSteps } from './select-steps.ts';
import { steps } from './steps.ts';

describe('selectSteps', () => {
  it('selects every step when none is named', () => {
    expect(selectSteps(steps, [])).toEqual(steps);
  });

  it('keeps the order of the steps, not of the names', () => {
    expect(selectSteps(steps, ['unit', 'lint']).map((step) => step.name)).toEqual(['lint', 'unit']);
  });

  it('adds what a named step needs', () => {
    expect(selectSteps(steps, ['e2e']).map((step) => step.name)).toEqual(['build', 'e2e']);
  });

  it('names the nearest step when there is none of that name', () => {
    expect(() => selectSteps(steps, ['typs'])).toThrow('Did you mean "types"?');
  });
});

describe('steps', () => {
  it('need only steps that come before them', () => {
    const names = steps.map((step) => step.name);
    for (const [index, { needs }] of steps.entries()) {
      expect(names.slice(0, index)).toEqual(expect.arrayContaining([...(needs ?? [])]));
    }
  });
});
