import { describe, expect, it } from 'vitest';
import { asToolCallResult } from './as-tool-call-result.ts';

const text = (said: string) => ({ type: 'text', text: said });
const saysNothing = (json: string) =>
  text(`[Nexus: the server answered nothing that MCP knows as content: ${json}]`);

describe('what a server answered', () => {
  it.each([
    { content: [text('a'), { type: 'image', data: 'aGk=', mimeType: 'image/png' }], own: 1 },
    { content: [text('a')], structuredContent: { a: 1 }, _meta: { own: 1 }, isError: true },
    { content: [] },
    { content: [{ type: 'kind-of-tomorrow', payload: [1] }] },
  ])('is returned as it is where it is sound', (sound) => {
    expect(asToolCallResult(sound)).toBe(sound);
  });

  it.each<[string, unknown, object]>([
    ['one text', { content: 'plain', own: 1 }, { content: [text('plain')], own: 1 }],
    [
      'a structure alone',
      { structuredContent: { a: 1 } },
      { content: [text('{"a":1}')], structuredContent: { a: 1 } },
    ],
    [
      'a structure beside no block',
      { content: [], structuredContent: { a: 1 } },
      { content: [text('{"a":1}')], structuredContent: { a: 1 } },
    ],
    [
      'a structure that is a list',
      { content: [text('two')], structuredContent: [1, 2] },
      { content: [text('two'), text('[1,2]')] },
    ],
    ['toolResult', { toolResult: { a: 1 } }, { content: [text('{"a":1}')], structuredContent: { a: 1 } }],
    ['toolResult as a text', { toolResult: 'said' }, { content: [text('said')] }],
    ['a text without text', { content: [{ type: 'text' }, text('b')] }, { content: [text('b')] }],
    ['texts that are no blocks', { content: ['a', 7] }, { content: [text('a'), text('7')] }],
    ['one block', { content: text('a') }, { content: [text('a')] }],
    ['null', { content: null, _meta: null }, { content: [saysNothing('{"content":null,"_meta":null}')] }],
    [
      'a text without text alone',
      { content: [{ type: 'text' }] },
      { content: [saysNothing('{"content":[{"type":"text"}]}')] },
    ],
    ['nothing at all', undefined, { content: [saysNothing('undefined')] }],
    [
      'blocks without what they are for',
      { content: [{ type: 'resource' }] },
      { content: [text('{"type":"resource"}')] },
    ],
    ['a picture without one', { content: [{ type: 'image' }] }, { content: [text('{"type":"image"}')] }],
    ['an error', { content: 'no', isError: true }, { content: [text('no')], isError: true }],
  ])('is read as content where it is %s', (_what, answered, read) => {
    expect(asToolCallResult(answered)).toEqual(read);
  });
});
