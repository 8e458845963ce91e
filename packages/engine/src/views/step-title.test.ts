import { expect, it } from 'vitest';
import { stepTitle } from './step-title.ts';

it('a step is called by its title, and one without by its name, as a person says it', () => {
  const titled = (name: string, title = name) => stepTitle({ name, title });
  expect(titled('after#1/call', 'Waits a little')).toBe('Waits a little');
  expect(titled('after#1/waits')).toBe('after: waits');
  expect(titled('after#3/pause 2')).toBe('after 3: pause 2');
  expect(titled('after.items#1[4]/waits')).toBe('after[4]: waits');
  expect(titled('leave')).toBe('leave');
});
