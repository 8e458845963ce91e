import { expect, it } from 'vitest';
import type { FoundFile } from '../catalogue/workflow-entry.ts';
import { faultsHere, type Here } from './check-here.ts';

it('says of a toolbox’s tool what is known of it without its server, and lets the run begin all the same', async () => {
  const session = { id: 'one' };
  const asked: unknown[] = [];
  const toolboxes = {
    names: async () => [{ name: 'tb', servers: ['fk'] }],
    whyNot: async (origin: string, scope: unknown) => {
      asked.push(scope);
      return origin === 'tb__fk__held' ? 'It is held back.' : undefined;
    },
    check: async ({ origin, arguments: given }: { origin: string; arguments: object }, scope: unknown) => {
      asked.push(scope);
      return origin === 'tb__fk__strict' && !('what' in given) ? [{ path: 'what', message: 'missing' }] : [];
    },
  };
  const here = { session, tools: { find: () => undefined, list: () => [] }, host: { toolboxes } };
  const work = ['held', 'there', 'strict'].map((tool, at) => ({
    path: `steps.${at}`,
    uses: `tool:tb__fk__${tool}`,
    usesAt: { line: at, column: 1 },
    with: {},
    withAt: {},
  }));
  expect(await faultsHere({ work } as unknown as FoundFile, here as unknown as Here)).toEqual([
    { line: 0, column: 1, path: 'steps.0.uses', message: 'It is held back.', isFinal: false },
    { line: 2, column: 1, path: 'steps.2.with.what', message: 'missing', isFinal: false },
  ]);
  expect(asked).toHaveLength(5);
  expect(new Set(asked)).toEqual(new Set([session]));
});
