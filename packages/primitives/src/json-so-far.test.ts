import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonSoFar } from './json-so-far.ts';

describe('a text is JSON so far', () => {
  it('where it is JSON, to whatever place', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, end) => {
        expect(isJsonSoFar(json, 1_000)).toBe(true);
        const inText = /^"/.test(json);
        if (inText) expect(isJsonSoFar(json.slice(0, 1 + (end % json.length)), 1_000)).toBe(true);
      }),
    );
  });

  it.each(['[', '{"a"', '{"a":[1,', '[[[[x', '[{"a":{"b":x', ' [ ] '])('%s', (text) => {
    expect(isJsonSoFar(text, 2)).toBe(true);
  });

  it.each([
    ...[
      '[INFO] started',
      '[ ] a thing to do',
      '[1] a footnote',
      '{a:1}',
      '[1 2]',
      '[1,]',
      '{"a" 1}',
      '{"a":}',
    ],
    ...['[1}', '{"a":1]', '[1]]', '[]\n[]', '{,}', '[,1]', '{"a":1,}', '[tru]', '[-]', "['a']", '{1:1}', '}'],
  ])('and not: %s', (text) => {
    expect(isJsonSoFar(text, 1_000)).toBe(false);
  });
});
