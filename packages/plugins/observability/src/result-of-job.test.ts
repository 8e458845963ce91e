import { TEXT_META_KEY, type ToolCallResult } from '@nexus/plugin-sdk';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { resultOfJob } from './result-of-job.ts';

const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
const said = (text: string) => ({ type: 'text', text });
const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };

it.each<[string, object, object]>([
  ['one picture', { content: [image] }, { blocks: [image] }],
  ['one link', { content: [link] }, { blocks: [link] }],
  ['a picture before its text', { content: [image, said('a')] }, { result: { text: 'a' }, blocks: [image] }],
  ['two texts', { content: [said('a'), said('b')] }, { result: { text: 'a\nb' }, blocks: [] }],
  [
    'texts with the places of what stands between',
    { content: [image, said('a'), link, said('b'), image] },
    { result: { text: 'a\n[resource_link]\nb' }, blocks: [image, link, image] },
  ],
  [
    'JSON that was split',
    { content: [said('{"a"'), said(':1}')] },
    { result: { text: '{"a":1}' }, blocks: [] },
  ],
  [
    'an error of two texts',
    { content: [said('no'), said('why')], isError: true },
    { error: { code: 'NEXUS_TOOL_FAILED', message: 'no\nwhy', retryable: false }, blocks: [] },
  ],
  [
    'an error of Nexus with more texts',
    {
      content: [said('no'), said('why')],
      isError: true,
      _meta: { 'nexus/error': { code: 'NEXUS_NOT_FOUND', message: 'no', retryable: false } },
    },
    { error: { code: 'NEXUS_NOT_FOUND', message: 'no\nwhy', retryable: false }, blocks: [] },
  ],
  [
    'a text of its own beside the structure',
    { content: [said('two'), image], structuredContent: { n: 2 } },
    { result: { n: 2 }, blocks: [said('two'), image] },
  ],
  [
    'the structure as JSON, once',
    { content: [said('{ "n": 2 }'), image], structuredContent: { n: 2 } },
    { result: { n: 2 }, blocks: [image] },
  ],
  [
    'the text that is made from the structure, once',
    {
      content: [said('n is 2'), said('more')],
      structuredContent: { n: 2 },
      _meta: { [TEXT_META_KEY]: true },
    },
    { result: { n: 2 }, blocks: [said('more')] },
  ],
  [
    'where numbers were rounded',
    {
      content: [said('{"n":2}')],
      structuredContent: { n: 2 },
      _meta: { 'nexus/rounded': ['structuredContent.n'] },
    },
    {
      result: { n: 2 },
      besides: { _meta: { 'nexus/rounded': ['structuredContent.n'] } },
      blocks: [said('Numbers of the result that were rounded: structuredContent.n.')],
    },
  ],
  [
    'what else the result and its _meta have',
    { content: [said('a')], _meta: { 'their/key': 1, 'nexus/label': {} }, unknownKey: [2] },
    { result: { text: 'a' }, besides: { _meta: { 'their/key': 1 }, unknownKey: [2] }, blocks: [] },
  ],
  [
    'a text with annotations whole',
    { content: [{ ...said('a'), annotations: { audience: ['user'] } }] },
    { blocks: [{ ...said('a'), annotations: { audience: ['user'] } }] },
  ],
  [
    'an error that is its structure, once',
    { content: [said('{"n":2}')], structuredContent: { n: 2 }, isError: true },
    {
      result: { n: 2 },
      error: {
        code: 'NEXUS_TOOL_FAILED',
        message: 'The tool answered an error: its result.',
        retryable: false,
      },
      blocks: [],
    },
  ],
  [
    'an error of Nexus with its category and detail',
    {
      content: [said('no')],
      isError: true,
      _meta: {
        'nexus/error': {
          code: 'NEXUS_NOT_FOUND',
          category: 'not_found',
          message: 'no',
          retryable: false,
          detail: { nearest: ['x'] },
        },
      },
    },
    {
      error: {
        code: 'NEXUS_NOT_FOUND',
        category: 'not_found',
        message: 'no',
        retryable: false,
        detail: { nearest: ['x'] },
      },
      blocks: [],
    },
  ],
  [
    'how its arguments were read',
    { content: [said('a')], _meta: { 'nexus/normalized': { nulls: ['limit'] } } },
    {
      result: { text: 'a' },
      besides: { _meta: { 'nexus/normalized': { nulls: ['limit'] } } },
      blocks: [said('[Nexus left out limit since null is no value there.]')],
    },
  ],
  [
    'an error with all that it says',
    { content: [image, said('no'), said('more')], structuredContent: { n: 2 }, isError: true },
    {
      result: { n: 2 },
      error: { code: 'NEXUS_TOOL_FAILED', message: 'no\nmore', retryable: false },
      blocks: [image],
    },
  ],
])('of a job holds %s', (_, answered, told) => {
  expect(resultOfJob(answered as ToolCallResult)).toEqual(told);
});

it('loses nothing that the call answered, whatever it was', () => {
  const annotations = fc.record({ audience: fc.constant(['user']) });
  const text = fc.record({ type: fc.constant('text'), text: fc.string() });
  const annotated = fc.record({ type: fc.constant('text'), text: fc.string(), annotations });
  const block = fc.oneof(text, annotated, fc.constant(image), fc.constant(link));
  const members = fc.dictionary(
    fc.string().map((key) => `x${key}`),
    fc.jsonValue(),
  );
  const answer = fc.record(
    {
      content: fc.array(block, { minLength: 1 }),
      structuredContent: members,
      isError: fc.boolean(),
      _meta: members,
      unknownKey: fc.jsonValue(),
    },
    { requiredKeys: ['content'] },
  );
  fc.assert(
    fc.property(answer, fc.boolean(), (given, alsoAsText) => {
      const { structuredContent: structure, content, isError, _meta = {}, unknownKey } = given;
      const reading = alsoAsText && structure ? [said(JSON.stringify(structure))] : [];
      const answered = { ...given, content: [...content, ...reading] } as unknown as ToolCallResult;
      const told = resultOfJob(answered);
      expect(told.error !== undefined).toBe(isError === true);
      if (structure) expect(told.result).toEqual(structure);
      expect(told.besides?._meta ?? {}).toEqual(_meta);
      expect(told.besides?.unknownKey).toEqual(unknownKey);
      const spoken = [told.error?.message, structure ? undefined : told.result?.text];
      for (const each of content) {
        const isTold = told.blocks.some((block) => JSON.stringify(block) === JSON.stringify(each));
        const isSpoken =
          !('annotations' in each) &&
          'text' in each &&
          spoken.some((field) => typeof field === 'string' && field.includes(each.text));
        expect(isTold || isSpoken).toBe(true);
      }
      expect(told.blocks.length).toBeLessThanOrEqual(content.length);
    }),
  );
});
