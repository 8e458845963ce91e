import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unwrapUri, wrapUri } from './wrapped-uri.ts';

it('gives back what was wrapped, whatever the names hold', () => {
  const text = fc.string({ minLength: 1, unit: 'grapheme-composite' });
  fc.assert(
    fc.property(text, text, text, (toolbox, server, uri) => {
      const wrapped = wrapUri({ toolbox, server }, uri);
      expect(unwrapUri(wrapped)).toEqual({ toolbox, server, uri });
    }),
  );
});

it.each(['file:///a', 'toolbox://a/b', 'toolbox://a/b/c/d', 'toolbox://a/b/%'])(
  'takes %s for no such URI',
  (uri) => {
    expect(unwrapUri(uri)).toBeUndefined();
  },
);
