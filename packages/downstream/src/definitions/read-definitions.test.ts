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
  });
});
