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
    { backend: 'typed', key: 'k', value: 'text' },
  ],
  [
    'an argument that is there is not replaced',
    { key: 'k', name: 'other' },
    { backend: 'session', key: 'k', value: 'text' },
  ],
  [
    'what does not fit is left out',
    { key: 'k', confidence: 7, zzz: 1 },
    { backend: 'session', key: 'k', value: 'text' },
  ],
  ['nothing of the caller’s', { zzz: 1 }, undefined],
  ['nothing at all', {}, undefined],
  ['more than anyone reads', { key: 'k'.repeat(2_000) }, undefined],
  ['very many', Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, at])), undefined],
])('are in the caller’s own values: %s', (_, sent, meant) => {
  expect(meantArguments(write, sent)).toEqual(meant);
});

it('stand in the refusal as what would pass, and do', () => {
  const sent = { backend: 'typed', key: 'k', value: 'v', type: 'decision' };
  expect(() => validateCall(write, { arguments: sent, source: 'arguments' })).toThrow(
    /- type: no such argument; did you mean metadata\.type\?[\s\S]*Example that would pass: \{"backend":"typed","key":"k","value":"v","metadata":\{"type":"decision"\}\}/,
  );
});
