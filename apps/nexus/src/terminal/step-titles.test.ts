import { expect, it } from 'vitest';
import { shownSteps } from './step-titles.ts';

it('gives steps that are called alike a number each, and a step that is tried again its own once more', () => {
  const step = (name: string, title: string, kind = 'step') => ({ name, title, kind: kind as 'step' });
  const shown = shownSteps([
    step('review 1', 'reviews the diff'),
    step('now', 'reviews the diff', 'value'),
    step('mend 1', 'Mend it', 'child'),
    step('mend 1', 'Mend it', 'child'),
    step('review 2', 'reviews the diff'),
    step('review 3', 'reviews the diff'),
  ]);
  expect(shown.map(({ title }) => title)).toEqual([
    'reviews the diff',
    'Mend it',
    'Mend it',
    'reviews the diff (2)',
    'reviews the diff (3)',
  ]);
});
