import { expect, it } from 'vitest';
import { readPrompts, readTools } from './read-definitions.ts';

const good = { zzz: 'unknown key', name: 'good', inputSchema: { type: 'object' } };

it('keeps sound definitions as they are and says of each other one what is wrong', () => {
  const { definitions, faults } = readTools([
    null,
    good,
    'text',
    { inputSchema: { type: 'object' } },
    { name: 7, inputSchema: { type: 'object' } },
    { name: 'no_schema' },
    { name: 'odd_type', inputSchema: { type: 'objekt' } },
    { name: 'odd_title', title: 1, inputSchema: { type: 'object' } },
    { name: 'odd_meta', _meta: [], inputSchema: { type: 'object' } },
    { ...good, title: 'the second of its name' },
  ]);
  expect(definitions).toEqual([good]);
  expect(definitions[0]).toBe(good);
  expect(faults).toEqual([
    { reason: 'number 1 of its list is no object' },
    { reason: 'number 3 of its list is no object' },
    { reason: 'number 4 of its list has no name' },
    { reason: 'number 5 of its list has no name' },
    { tool: 'no_schema', reason: 'its inputSchema is no object' },
    { tool: 'odd_type', reason: 'its inputSchema is not of type "object"' },
    { tool: 'odd_title', reason: 'its title is no text' },
    { tool: 'odd_meta', reason: 'its _meta is no object' },
    { tool: 'good', reason: 'its name is in the list before' },
  ]);
});

it('reads prompts the same way', () => {
  const prompt = { name: 'greet', arguments: [{ name: 'who' }] };
  expect(readPrompts([prompt, { name: 'odd', arguments: {} }])).toEqual({
    definitions: [prompt],
    faults: [{ tool: 'odd', reason: 'its arguments are no list' }],
    leftOut: 1,
  });
});

it('leaves out what no host, log or store can be asked to take', () => {
  const named = (name: string) => ({ ...good, name });
  const deep = Array.from({ length: 200 }).reduce<object>((inner) => ({ inner }), {});
  const { definitions, faults } = readTools([
    good,
    named('nul\0'),
    named('half \ud800'),
    named('line\nend'),
    named('n'.repeat(10_000)),
    { ...named('large'), description: 'x'.repeat(300_000) },
    { ...named('deep'), _meta: deep },
    { ...named('icons'), icons: Array.from({ length: 5_000 }, () => ({ src: 'data:'.padEnd(100) })) },
    named('ünïcode 🧰'),
  ]);
  expect(definitions.map(({ name }) => name)).toEqual(['good', 'ünïcode 🧰']);
  expect(faults).toEqual([
    { tool: 'nul\\u0000', reason: 'its name has characters that are no text' },
    { tool: 'half \\ud800', reason: 'its name has characters that are no text' },
    { tool: 'line\\nend', reason: 'its name has characters that are no text' },
    { tool: `${'n'.repeat(80)}…`, reason: 'its name has more than 512 characters' },
    { tool: 'large', reason: 'it is larger than 256 KiB' },
    { tool: 'deep', reason: 'it is nested more than 100 deep' },
    { tool: 'icons', reason: 'it is larger than 256 KiB' },
  ]);
});

it('takes so many of a list and tells of so many faults, whatever a server lists', () => {
  const { definitions, faults } = readTools([
    ...Array.from({ length: 100 }, () => null),
    ...Array.from({ length: 9_900 }, (_, at) => ({ ...good, name: `tool_${at}` })),
  ]);
  expect(definitions).toHaveLength(4_900);
  expect(faults).toHaveLength(21);
  expect(faults.at(-1)).toEqual({ reason: '81 more of its list are left out' });
});

it('says of each key what it is no text or no object of, and takes null for what is not there', () => {
  const named = (name: string, more: object) => ({ ...good, name, ...more });
  const absent = Object.fromEntries(
    ['title', 'description', 'outputSchema', 'annotations', 'execution', '_meta'].map((key) => [key, null]),
  );
  const there = { title: 'A', description: '', outputSchema: {}, annotations: {}, execution: {}, _meta: {} };
  const { definitions, faults, leftOut } = readTools([
    named('absent', absent),
    named('there', there),
    named('description', { description: {} }),
    named('outputSchema', { outputSchema: [] }),
    named('annotations', { annotations: 'x' }),
    named('execution', { execution: 1 }),
    { name: ' \t', inputSchema: { type: 'object' } },
    { name: 'list', inputSchema: [] },
  ]);
  expect(definitions).toEqual([named('absent', absent), named('there', there)]);
  expect(faults.map(({ reason }) => reason)).toEqual([
    'its description is no text',
    'its outputSchema is no object',
    'its annotations is no object',
    'its execution is no object',
    'number 7 of its list has no name',
    'its inputSchema is no object',
  ]);
  expect(leftOut).toBe(6);
});

it('holds prompts to their keys, too, whether they have arguments or not', () => {
  const prompts = [{ name: 'none' }, { name: 'absent', arguments: null }];
  expect(readPrompts([...prompts, { name: 'odd', title: 1 }])).toEqual({
    definitions: prompts,
    faults: [{ tool: 'odd', reason: 'its title is no text' }],
    leftOut: 1,
  });
});

it('tells of all faults, and of none, where there are no more than may be', () => {
  const tools = Array.from({ length: 5_000 }, (_, at) => ({ ...good, name: `tool_${at}` }));
  expect(readTools(tools)).toEqual({ definitions: tools, faults: [], leftOut: 0 });
  expect(readTools([...tools, good])).toEqual({
    definitions: tools,
    faults: [
      { reason: expect.stringMatching(/^its list has 5001 items; those after the first 5000 are left out/) },
    ],
    leftOut: 1,
  });
  const faults = Array.from({ length: 20 }, (_, at) => ({
    reason: `number ${at + 1} of its list is no object`,
  }));
  expect(readTools(faults.map(() => null)).faults).toEqual(faults);
});
