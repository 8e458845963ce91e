import { expect, it } from 'vitest';
import { readJson } from './read-json.ts';

it.each([
  ['{"a":1}', { a: 1 }],
  [' [1]\n', [1]],
  ['7', 7],
  ['```json\n{"a":1}\n```', { a: 1 }],
  ['Here you are: {"a":{"b":[1]}} Anything else?', { a: { b: [1] } }],
])('finds the JSON in %s', (text, value) => {
  expect(readJson(text)).toEqual({ value });
});

it.each(['', 'no', '{"a":', '} {'])('finds none in "%s"', (text) => {
  expect(readJson(text)).toBeUndefined();
});
