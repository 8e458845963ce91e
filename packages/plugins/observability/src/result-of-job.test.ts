import { TEXT_META_KEY, type ToolCallResult } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { resultOfJob } from './result-of-job.ts';

const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
const said = (text: string) => ({ type: 'text', text });
const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };

it.each<[string, object, object]>([
  ['one picture', { content: [image] }, { blocks: [image] }],
  ['one link', { content: [link] }, { blocks: [link] }],
  ['a picture before its text', { content: [image, said('a')] }, { result: { text: 'a' }, blocks: [image] }],
  ['two texts', { content: [said('a'), said('b')] }, { result: { text: 'a' }, blocks: [said('b')] }],
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
      blocks: [said('Numbers of the result that were rounded: structuredContent.n.')],
    },
  ],
  [
    'an error with all that it says',
    { content: [image, said('no'), said('more')], structuredContent: { n: 2 }, isError: true },
    {
      result: { n: 2 },
      error: { code: 'NEXUS_TOOL_FAILED', message: 'no', retryable: false },
      blocks: [image, said('more')],
    },
  ],
])('of a job holds %s', (_, answered, told) => {
  expect(resultOfJob(answered as ToolCallResult)).toEqual(told);
});
