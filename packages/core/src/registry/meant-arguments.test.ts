import { expect, it } from 'vitest';
import { z } from 'zod';
import { fixtureTool } from '../../test/fixture-tools.ts';
import { meantArguments } from './meant-arguments.ts';
import { validateCall } from './validate-call.ts';

const write = fixtureTool({
  name: 'write',
  input: z.object({
    backend: z.enum(['session', 'typed']),
    key: z.string(),
    value: z.string(),
    confidence: z.number().max(1).optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
  aliases: { tags: 'metadata.tags', type: 'metadata.type', name: 'key' },
});

it.each<[string, Record<string, unknown>, object | undefined]>([
  [
    'a name that has its place inside of another argument',
    { backend: 'typed', key: 'k', value: 'v', type: 'decision', tags: ['a'] },
    { backend: 'typed', key: 'k', value: 'v', metadata: { type: 'decision', tags: ['a'] } },
  ],
  [
    'what stands there already stays',
    { key: 'k', value: 'v', tags: 't', metadata: { links: [] } },
    { backend: 'session', key: 'k', value: 'v', metadata: { links: [], tags: 't' } },
  ],
  [
    'a misspelt name, and one that is called otherwise',
    { bakend: 'typed', name: 'k' },
    { backend: 'typed', key: 'k', value: '<value>' },
  ],
  [
    'an argument that is there is not replaced',
    { key: 'k', name: 'other' },
    { backend: 'session', key: 'k', value: '<value>' },
  ],
  [
    'what does not fit is left out',
    { key: 'k', confidence: 7, zzz: 1 },
    { backend: 'session', key: 'k', value: '<value>' },
  ],
  ['nothing of the caller’s', { zzz: 1 }, undefined],
  ['nothing at all', {}, undefined],
  ['more than anyone reads', { key: 'k'.repeat(2_000) }, undefined],
  ['very many', Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, at])), undefined],
])('are in the caller’s own values: %s', (_, sent, meant) => {
  expect(meantArguments(write, sent)?.arguments).toEqual(meant);
});

const many = fixtureTool({
  name: 'many',
  input: z.object({
    entities: z.array(z.object({ name: z.string(), kind: z.string() })),
    to: z.string().optional(),
    names: z.array(z.string()).optional(),
    action: z.enum(['stats', 'search', 'regex']).optional(),
    id: z
      .string()
      .regex(/^id_\d+$/)
      .meta({ examples: ['id_1'] })
      .optional(),
  }),
  aliases: { name: 'names', regex: 'to' },
});
const one = { name: 'a', kind: 'b' };

it.each<[string, Record<string, unknown>, object]>([
  ['an object for a list of them', { entities: one }, { entities: [one] }],
  ['a list of one for a text', { entities: [one], to: ['bob'] }, { entities: [one], to: 'bob' }],
  ['a number for a text', { entities: [one], to: 7 }, { entities: [one], to: '7' }],
  ['one under an alias for a list', { entities: [one], name: 'x' }, { entities: [one], names: ['x'] }],
  ['several in one text', { entities: [one], names: 'x, y' }, { entities: [one], names: ['x', 'y'] }],
  ['the nearest choice', { entities: [one], action: 'serch' }, { entities: [one], action: 'search' }],
  ['the name of a choice', { entities: [one], regex: true }, { entities: [one], action: 'regex' }],
  ['an alias of that name', { entities: [one], regex: 'r' }, { entities: [one], to: 'r' }],
  ['a misspelt name inside', { entities: { nam: 'a', kind: 'b' } }, { entities: [one] }],
  ['no choice that is far', { entities: [one], action: 'zzz' }, { entities: [one] }],
])('take in another form what the caller gave, where it then passes: %s', (_, sent, meant) => {
  expect(meantArguments(many, sent)).toEqual({ arguments: meant, isToBeFilledIn: false });
});

it.each<[string, Record<string, unknown>, object]>([
  ['a text that is JSON cut short', { names: '["x' }, { names: ['<names>'] }],
  ['several for one', { to: ['a', 'b'] }, { to: '<to>' }],
])('show the form of what is in none, to be filled in: %s', (_, sent, shown) => {
  expect(meantArguments(many, { entities: [one], ...sent })).toEqual({
    arguments: { entities: [one], ...shown },
    isToBeFilledIn: true,
  });
});

it('are to be filled in inside of what the caller gave, too, and nothing in them looks like data', () => {
  expect(meantArguments(many, { entities: { name: 'a' } })).toEqual({
    arguments: { entities: [{ name: 'a', kind: '<kind>' }] },
    isToBeFilledIn: true,
  });
  expect(() => validateCall(many, { arguments: {}, source: 'arguments' })).toThrow(
    'What it needs, with your own values in place of what stands in <>: {"entities":[{"name":"<name>","kind":"<kind>"}]}',
  );
});

it('do not take the caller’s own <text> for what is to be filled in', () => {
  const sent = { key: '<b>', value: 'v', backend: 'typed', zzz: 1 };
  expect(meantArguments(write, sent)).toMatchObject({ isToBeFilledIn: false });
});

it('name what is to be filled in, with its author’s example', () => {
  const input = z.object({ id: z.string().meta({ examples: ['id_1'] }), url: z.url() });
  const tool = fixtureTool({ name: 'by_id', input });
  expect(() => validateCall(tool, { arguments: {}, source: 'arguments' })).toThrow(
    '{"id":"<id, such as id_1>","url":"<url, such as https://example.com>"}',
  );
});

it('stand in the refusal as what would pass, and do', () => {
  const sent = { backend: 'typed', key: 'k', value: 'v', type: 'decision' };
  expect(() => validateCall(write, { arguments: sent, source: 'arguments' })).toThrow(
    /- type: no such argument; did you mean metadata\.type\?[\s\S]*Example that would pass: \{"backend":"typed","key":"k","value":"v","metadata":\{"type":"decision"\}\}/,
  );
});
