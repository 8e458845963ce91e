import type { RunDetail } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { wholeRun } from './whole-run.ts';

/** A run of this many steps under its own name, two a page. */
function pageOf(id: string, count: number, after = -1): RunDetail {
  const from = after + 1;
  const steps = Array.from({ length: Math.max(0, Math.min(2, count - from)) }, (_, at) => ({
    name: `${id} ${from + at}`,
  }));
  const left = count - from - steps.length;
  const more = left > 0 ? { more: { after: from + steps.length - 1, steps: left } } : {};
  return { id, steps, children: [], ...more } as unknown as RunDetail;
}

it('reads a run and its children to their ends, page by page', async () => {
  const asked: string[] = [];
  const run = await wholeRun(async (id, after) => {
    asked.push(`${id} ${after}`);
    if (id === 'child') return pageOf('child', 3, after);
    const page = pageOf('root', 5, after);
    return after === 1 ? { ...page, children: [pageOf('child', 3)] } : page;
  }, 'root');
  expect(run.steps.map(({ name }) => name)).toEqual(['root 0', 'root 1', 'root 2', 'root 3', 'root 4']);
  expect(run.children[0]?.steps.map(({ name }) => name)).toEqual(['child 0', 'child 1', 'child 2']);
  expect(run).not.toHaveProperty('more');
  expect(asked).toEqual(['root undefined', 'root 1', 'root 3', 'child 1']);
});

it('ends where a page has no step, whatever it says of more', async () => {
  const run = await wholeRun(
    async (id, after) => ({ ...pageOf(id, after === undefined ? 5 : 0), more: { after: 1, steps: 3 } }),
    'root',
  );
  expect(run.steps).toHaveLength(2);
});

it('reads by themselves what lies too deep to be shown with the family', async () => {
  const pages: Record<string, RunDetail> = {
    root: { ...pageOf('root', 1), deeper: ['low'] },
    low: { ...pageOf('low', 3), deeper: ['lowest'] },
    lowest: pageOf('lowest', 1),
  };
  const run = await wholeRun(
    async (id, after) => (after === undefined ? (pages[id] as RunDetail) : pageOf(id, 3, after)),
    'root',
  );
  const [low] = run.children;
  expect(low?.steps).toHaveLength(3);
  expect(low?.children.map(({ id }) => id)).toEqual(['lowest']);
  expect(run).not.toHaveProperty('deeper');
});
