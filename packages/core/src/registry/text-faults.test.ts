import { expect, it } from 'vitest';
import { z } from 'zod';
import { fixtureTool } from '../../test/fixture-tools.ts';
import { textFaults } from './text-faults.ts';

const tool = fixtureTool({ input: z.object({ query: z.string(), deep: z.unknown().optional() }) });

it.each([
  [{ query: 'a\0b' }, 'query', 'U+0000'],
  [{ query: 'a\ud800' }, 'query', 'surrogate'],
  [{ query: 'a', deep: [{ b: '\0' }] }, 'deep.0.b', 'U+0000'],
  [{ query: 'a', deep: { '\0': 1 } }, 'deep', 'U+0000'],
])('a text that no program can take is a fault of the arguments: %j', (args, path, why) => {
  expect(tool.validate(args)).toEqual({
    ok: false,
    issues: [{ path, message: expect.stringContaining(why) }],
  });
});

it('other text is taken as it is', () => {
  expect(tool.validate({ query: '\u0001 😀 \ufffd' })).toMatchObject({ ok: true });
});

it('what is no text has no fault, beside one that has', () => {
  expect(textFaults([null, undefined, 1, true, '\0'])).toEqual([expect.objectContaining({ path: '4' })]);
});

it('a name has faults as a text has, though its value has none', () => {
  const message = expect.stringContaining('U+0000');
  expect(textFaults({ '\0': 1 })).toEqual([{ path: '', message }]);
  expect(textFaults([{ a: { 'b\0': '' } }])).toEqual([{ path: '0.a', message }]);
});
