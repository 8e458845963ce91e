import { definePlugin, defineRun, defineRunTool } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { listRuns } from './list-runs.ts';

it('says of each kind of a plugin where it goes on and what its input may be, also of a tool that is a run', () => {
  const tree = defineRun({ name: 'tried.tree', version: 2, place: 'machine', run: async () => null });
  const choices = { flavour: ['sweet', 'sour'] };
  const anywhere = defineRun({ name: 'tried.anywhere', version: 1, choices, run: async () => null });
  const tool = defineRunTool({
    name: 'tried_tool',
    title: 'Try',
    description: 'Tries.',
    input: z.object({}),
    output: z.object({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    budget: 'pipeline',
    version: 1,
    place: 'machine',
    run: async () => ({}),
  });
  const plugin = definePlugin({
    name: 'tried',
    options: z.object({}),
    tools: [tool],
    runs: [tree, anywhere],
    start: async () => null,
    stop: async () => {},
  });
  expect(new Set(listRuns(plugin))).toEqual(
    new Set([
      { name: 'tried.tree', version: 2, place: 'machine' },
      { name: 'tried.anywhere', version: 1, choices },
      { name: 'tried_tool', version: 1, place: 'machine' },
    ]),
  );
});
