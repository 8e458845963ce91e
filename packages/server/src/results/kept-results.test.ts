import { expect, it } from 'vitest';
import { createKeptResults } from './kept-results.ts';

it('gives a text back to the session that got it, and to no other', () => {
  const results = createKeptResults({ maxResultChars: 1 });
  const { uri } = results.keep('mine', 'the whole', 'text/plain');
  expect(uri).toMatch(/^nexus:\/\/results\/[0-9a-f-]{36}$/);
  expect(results.read('mine', uri)).toEqual({ uri, mimeType: 'text/plain', text: 'the whole' });
  expect(results.read('another', uri)).toBeUndefined();
  expect(results.read('mine', `${uri}0`)).toBeUndefined();
});

it('forgets with the session', () => {
  const results = createKeptResults({ maxResultChars: 1 });
  const mine = results.keep('mine', 'a', 'text/plain');
  const theirs = results.keep('another', 'b', 'text/plain');
  results.endSession('mine');
  expect(results.read('mine', mine.uri)).toBeUndefined();
  expect(results.read('another', theirs.uri)).toBeDefined();
  expect(results.ids('mine')).toEqual([]);
});

it('drops what was used longest ago where there is too much, and never the newest', () => {
  const results = createKeptResults({ maxResultChars: 1, maxKeptChars: 10 });
  const keep = (text: string) => results.keep('s', text, 'text/plain').uri;
  const [first, second] = [keep('11111'), keep('22222')];
  results.read('s', first);
  const third = keep('333');
  expect([first, second, third].map((uri) => results.read('s', uri)?.text)).toEqual([
    '11111',
    undefined,
    '333',
  ]);
  const huge = keep('4'.repeat(20));
  expect(results.read('s', huge)?.text).toHaveLength(20);
  expect(results.ids('s')).toHaveLength(1);
});
