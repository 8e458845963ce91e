import type { ToolUse } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import type { ServerTool } from '../servers/chat-server.ts';
import { fitTools, type SearchTools } from './fit-tools.ts';

/** Of those that are given, what has the first word. */
const search: SearchTools = async (tools) => (queries, limit) =>
  tools
    .filter(({ name }) => name.includes(String(queries[0]).split(' ')[0] ?? ''))
    .slice(0, limit)
    .map(({ name, inputSchema }) => ({ tool: name, inputSchema }));
const step = { signal: new AbortController().signal };

function tool(name: string, more: Partial<ServerTool> = {}): ServerTool {
  return {
    name,
    server: 's',
    origin: name,
    description: `${name.replaceAll('_', ' ')}. ${'All that there is to say. '.repeat(40)}`,
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    isReadOnly: true,
    reachesOut: false,
    isFirst: false,
    isOwn: true,
    call: async () => ({ content: [] }),
    ...more,
  };
}

const many = [
  ...['paint_wall', 'read_file', 'merge_branch'].map((name) => tool(name, { isFirst: name === 'read_file' })),
  ...Array.from({ length: 40 }, (_, n) => tool(`other_${n}`)),
];
const toldOf = ({ all }: ReturnType<typeof fitTools>) =>
  all.filter(({ isTold }) => isTold !== false).map(({ name }) => name);
const use = (input: ToolUse['input'], name = 'use_tool'): ToolUse => ({
  type: 'tool_use',
  id: '1',
  name,
  input,
});

it('tells of all tools where they are few, and adds none', () => {
  const few = many.slice(0, 3);
  const fitted = fitTools(few, search);
  expect(fitted.all).toEqual(few);
  expect(fitted.resolve(use({ tool: 'read_file' }))).toEqual(use({ tool: 'read_file' }));
});

it('tells of those that come first, of two that find and use the others, and names what there is to find', () => {
  const fitted = fitTools(many, search);
  expect(toldOf(fitted)).toEqual(['read_file', 'find_tools', 'use_tool']);
  expect(fitted.all).toHaveLength(many.length + 2);
  expect(fitted.toldChars).toBeLessThan(4_000);
  const { description } = fitted.all[1] ?? {};
  expect(description).toMatch(/They are: paint_wall, merge_branch, other_0, .*other_39\.$/);
});

it('tells of no more than has room, however many come first, and counts the names that have none', () => {
  const first = Array.from({ length: 400 }, (_, n) => tool(`tool_of_a_named_server_${n}`, { isFirst: true }));
  const fitted = fitTools(first, search);
  expect(fitted.toldChars).toBeLessThan(12_000 + 2_800);
  expect(toldOf(fitted).length).toBeGreaterThan(5);
  expect(fitted.all.find(({ name }) => name === 'find_tools')?.description).toMatch(/ and 3\d\d more\.$/);
});

it('finds a tool by keywords, as what searches answers it', async () => {
  const { all } = fitTools(many, search);
  const find = all.find(({ name }) => name === 'find_tools');
  const result = await find?.call({ queries: ['merge branch'], limit: 1 }, step);
  expect(result?.isError).toBeUndefined();
  expect(JSON.parse(String(result?.content[0]?.text))).toMatchObject([
    { tool: 'merge_branch', inputSchema: many[2]?.inputSchema },
  ]);
  const none = await find?.call({ queries: ['zzzz'] }, step);
  expect(none?.content[0]?.text).toMatch(/^Nothing has these words\./);
  await expect(find?.call({}, step)).rejects.toThrow('`queries` must be a list of keyword phrases.');
  // A chat that has only looked for tools knows nothing yet that must not be written outward.
  expect(result?._meta).toEqual({ 'nexus/label': { trust: 'trusted', privacy: 'public' } });
});

it.each([
  [{ tool: 'merge_branch', arguments: { path: 'a' } }, { path: 'a' }],
  [{ tool: 'merge_branch', arguments: '{"path":"a"}' }, { path: 'a' }],
  [{ tool: 'merge_branch', path: 'a' }, { path: 'a' }],
  [{ tool: 'merge_branch' }, {}],
])('takes use_tool with %j for a use of the tool that it names', (given, input) => {
  expect(fitTools(many, search).resolve(use(given))).toEqual(use(input, 'merge_branch'));
});

it('calls no tool by arguments that are none, and says which name is near where there is none', async () => {
  const fitted = fitTools(many, search);
  expect(fitted.resolve(use({ tool: 'merge_branch', arguments: '{' }))).toMatchObject({
    name: 'merge_branch',
    fault: '`arguments` must be an object.',
  });
  const wrong = use({ tool: 'merge_brunch' });
  expect(fitted.resolve(wrong)).toBe(wrong);
  const own = fitted.all.find(({ name }) => name === 'use_tool');
  await expect(own?.call(wrong.input, step)).rejects.toThrow('Did you mean merge_branch');
});

it('takes a tool of a toolbox by its own name where one has it, and by its place where several have', async () => {
  const fitted = fitTools(
    [...many, tool('dev__a__echo'), tool('dev__b__read_file'), tool('ops__c__read_file')],
    search,
  );
  const meant = (input: ToolUse['input']) => fitted.resolve(use(input)).name;
  expect(meant({ tool: 'echo', arguments: {} })).toBe('dev__a__echo');
  expect(meant({ tool: 'read_file', arguments: {} })).toBe('read_file');
  expect(meant({ tool: 'read_file', toolbox: 'dev', arguments: {} })).toBe('dev__b__read_file');
  expect(meant({ tool: 'read_file', server: 'c', arguments: {} })).toBe('ops__c__read_file');
  expect(meant({ tool: 'dev__a__echo', toolbox: 'dev', arguments: {} })).toBe('dev__a__echo');
  expect(meant({ tool: 'echo', toolbox: 'ops', arguments: {} })).toBe('use_tool');
  // Beside no `arguments` they are the tool's own.
  expect(fitted.resolve(use({ tool: 'echo', toolbox: 'ops' }))).toMatchObject({
    name: 'dev__a__echo',
    input: { toolbox: 'ops' },
  });
  const both = fitTools([...many, tool('dev__a__echo'), tool('ops__c__echo')], search);
  const own = both.all.find(({ name }) => name === 'use_tool');
  await expect(own?.call({ tool: 'echo' }, step)).rejects.toThrow(
    'Several tools are called "echo". Give one of these as `tool`: dev__a__echo, ops__c__echo.',
  );
});
