import type { SessionScope } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { fixtureTool } from '../../test/fixture-tools.ts';
import { findTool } from './find-tool.ts';
import { createRegistry } from './registry.ts';

const session = {} as SessionScope; // has no tools of its own

it('says of a tool that comes near to none where tools are found, as whoever made the registry knows', () => {
  const registry = createRegistry({ whereOthersAre: () => 'the finder finds them' });
  registry.register(fixtureTool({ name: 'search_codebase', input: z.object({}) }));
  registry.register(fixtureTool({ name: 'research_add', input: z.object({}) }));
  expect(() => findTool(registry, 'zzz', session)).toThrow('Unknown tool: zzz; the finder finds them');
  expect(() => findTool(registry, 'search', session)).toThrow('did you mean search_codebase or');
  expect(() => findTool(createRegistry(), 'zzz', session)).toThrow('tools/list names them all');
});

it('says of a tool that is held back that it is, and names no other', () => {
  const registry = createRegistry({ heldBack: () => new Map([['tb__s__search', 'It is held back.']]) });
  registry.register(fixtureTool({ name: 'tb_search', input: z.object({}) }));
  expect(() => findTool(registry, 'tb__s__search', session)).toThrow(
    expect.objectContaining({ code: 'NEXUS_CONFLICT', message: 'It is held back.' }),
  );
});
