import { expect, it } from 'vitest';
import { fitPlan } from './fit-plan.ts';
import type { DevPlan } from './plan.ts';

const planOf = (...tasks: DevPlan['tasks']): DevPlan => ({
  ...{ summary: 'Both add.', risks: [], verification: 'By tests.' },
  tasks,
});
const task = (name: string, more: Partial<DevPlan['tasks'][number]> = {}) => ({
  ...{ title: `Mend ${name}`, description: `Let ${name} add.`, files: [name] },
  ...more,
});

it('a few short tasks on a few files are one, under their titles', () => {
  expect(fitPlan(planOf(task('a.js'), task('b.js', { files: ['a.js', 'b.js'] }))).tasks).toEqual([
    {
      title: 'Mend a.js; Mend b.js',
      description: '## Mend a.js\n\nLet a.js add.\n\n## Mend b.js\n\nLet b.js add.',
      files: ['a.js', 'b.js'],
    },
  ]);
});

it.each([
  ['of one task', planOf(task('a.js'))],
  ['of tasks that are long together', planOf(task('a.js', { description: 'x'.repeat(3_990) }), task('b.js'))],
  ['of many files', planOf(task('a.js', { files: ['a', 'b', 'c'] }), task('b.js', { files: ['d', 'e'] }))],
  ['of many tasks', planOf(...['1', '2', '3', '4', '5'].map((title) => task('a.js', { title })))],
  ['of a task that names no file', planOf(task('a.js'), task('b.js', { files: [] }))],
])('a plan %s stays as it is', (_, plan) => {
  expect(fitPlan(plan)).toBe(plan);
});
