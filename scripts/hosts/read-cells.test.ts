import { expect, it } from 'vitest';
import { givenIn } from './read-cells.ts';
import { viewOf } from './wire-view.ts';

const given = (...tools: Readonly<Record<string, unknown>>[]) =>
  givenIn([viewOf({ wire: 'anthropic', body: { tools } })]);
const named = (...ends: string[]) => ends.map((end) => ({ name: `mcp__nexus__${end}` }));

it('a model is given all tools, some, none, or a search for them', () => {
  const all = named('memory_write', 'find_tools', 'submit_task');
  expect(given(...all)).toBe('all of them');
  expect(given(...named('find_tools'))).toBe('some of them');
  expect(given()).toBe('none of them');
  expect(given({ name: 'tool_search' })).toBe('a search for them (tool_search)');
  const deferred = all.map((tool) => ({ ...tool, defer_loading: true }));
  expect(given({ name: 'ToolSearch' }, ...deferred)).toBe('a search for them (ToolSearch)');
});
