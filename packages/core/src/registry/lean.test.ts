import { expect, it } from 'vitest';
import { fixtureTool } from '../../test/fixture-tools.ts';
import { isListedWhenLean } from './lean.ts';
import { createRegistry } from './registry.ts';

it('lists what finds and uses tools, and what the config adds; all stay callable', () => {
  const registry = createRegistry();
  const alsoListed = new Set(['memory_query']);
  for (const name of ['use_tool', 'memory_query', 'memory_write', 'find_tools', 'bundle', 'open_toolbox']) {
    const tool = fixtureTool({ name });
    registry.register({ ...tool, isListed: isListedWhenLean(tool, alsoListed) });
  }
  expect(registry.listed().map(({ name }) => name)).toEqual([
    'bundle',
    'find_tools',
    'memory_query',
    'open_toolbox',
    'use_tool',
  ]);
  expect(registry.list()).toHaveLength(6);
  expect(registry.get('memory_write')).toBeDefined();
});
