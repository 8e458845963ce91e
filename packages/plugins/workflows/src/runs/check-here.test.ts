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
  };
  const here = { session, tools: { find: () => undefined, list: () => [] }, host: { toolboxes } };
  const work = ['held', 'there'].map((tool, at) => ({
    path: `steps.${at}`,
    uses: `tool:tb__fk__${tool}`,
    usesAt: { line: at, column: 1 },
    with: {},
    withAt: {},
  }));
  expect(await faultsHere({ work } as unknown as FoundFile, here as unknown as Here)).toEqual([
    { line: 0, column: 1, path: 'steps.0.uses', message: 'It is held back.', isFinal: false },
  ]);
  expect(asked).toEqual([session, session]);
});
