import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unwrapUri, wrapTemplate, wrapUri } from './wrapped-uri.ts';

it('gives back what was wrapped, whatever the names hold', () => {
  const text = fc.string({ minLength: 1, unit: 'grapheme-composite' });
  fc.assert(
    fc.property(text, text, text, (toolbox, server, uri) => {
      const wrapped = wrapUri({ toolbox, server }, uri);
      expect(unwrapUri(wrapped)).toEqual({ toolbox, server, uri });
    }),
  );
});

it('gives back a template as it was filled in', () => {
  const filled = wrapTemplate({ toolbox: 'a/b', server: 'c' }, 'nexus://x/{+id}').replace('{+id}', 'a%20/b');
  expect(unwrapUri(filled)).toEqual({ toolbox: 'a/b', server: 'c', uri: 'nexus://x/a%20/b' });
});

it.each(['file:///a', 'toolbox://a/b', 'toolbox://a/b/c/d', 'toolbox://a/b/%'])(
  'takes %s for no such URI',
  (uri) => {
    expect(unwrapUri(uri)).toBeUndefined();
  },
);
