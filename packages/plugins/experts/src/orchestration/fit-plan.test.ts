import { expect, it } from 'vitest';
import { fitPlan } from './fit-plan.ts';
import type { PlanStep } from './plan.ts';

const step = (id: string, more: Partial<PlanStep> = {}): PlanStep => ({
  ...{ id, expert: 'code', title: `Look at ${id}`, task: `Say what ${id} does.`, needs: [] },
  ...more,
});
const idsOf = (...steps: readonly PlanStep[]) =>
  fitPlan({ steps: [...steps] }).steps.map(({ id, needs }) => [id, ...needs].join('<'));

it('short steps of one expert that would run side by side are one turn, with each part under its title', () => {
  const { steps } = fitPlan({ steps: [step('a'), step('b'), step('tests', { expert: 'testing' })] });
  expect(steps).toEqual([
    {
      ...{ id: 'a', expert: 'code', title: 'Look at a; Look at b', needs: [] },
      task: 'Do each of these, and answer each under its heading:\n\n## Look at a\n\nSay what a does.\n\n## Look at b\n\nSay what b does.',
    },
    step('tests', { expert: 'testing' }),
  ]);
});

it('who waited for one of them waits for that turn, once', () => {
  expect(idsOf(step('a'), step('b'), step('c', { expert: 'qa', needs: ['a', 'b'] }))).toEqual(['a', 'c<a']);
});

it('steps of one expert that wait for different ones stay apart', () => {
  expect(idsOf(step('a'), step('b', { needs: ['a'] }), step('c', { needs: ['b'] }))).toEqual([
    'a',
    'b<a',
    'c<b',
  ]);
});

it('a long step stays one of its own, and a turn has four parts at most', () => {
  const long = { task: 'x'.repeat(1_501) };
  expect(idsOf(step('a', long), step('b'), step('c', long))).toEqual(['a', 'b', 'c']);
  expect(idsOf(...['a', 'b', 'c', 'd', 'e'].map((id) => step(id)))).toEqual(['a', 'e']);
});
