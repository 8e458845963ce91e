import { loadPatterns, PatternFault } from '@nexus/untrusted/patterns';
import { expect, it } from 'vitest';
import { isGlob, nameFilter } from './filter-names.ts';

const patterns = await loadPatterns();

it.each([
  [[], ['read_file', 'write_file', 'a/b']],
  [['*'], ['read_file', 'write_file', 'a/b']],
  [['read_file'], ['read_file']],
  [['*_file'], ['read_file', 'write_file']],
  [['{read,write}_file'], ['read_file', 'write_file']],
  [
    ['*', '!write_*'],
    ['read_file', 'a/b'],
  ],
  [['!write_file', '!a/*'], ['read_file']],
  [['a/b'], ['a/b']],
  [['a/b**'], ['a/b']],
  [['{a,read}*'], ['read_file', 'a/b']],
  [['READ_FILE'], []],
])('%j lets %j through', (filters, expected) => {
  expect(['read_file', 'write_file', 'a/b'].filter(nameFilter(filters, patterns))).toEqual(expected);
});

it('takes a name with the characters of a glob by the letter, too', () => {
  expect(nameFilter(['list[all]'], patterns)('list[all]')).toBe(true);
});

it('takes a name whole, whatever is in it', () => {
  const isWanted = nameFilter(['[ab]*', 'read_*'], patterns);
  expect([isWanted('a/Stryker.here!'), isWanted('read_'), isWanted('read')]).toEqual([true, true, false]);
});

it('needs no engine for stars alone, and takes a name that fits none in a moment', () => {
  const filter = '*a*a*a*a*a*a*a*b';
  expect(isGlob(filter)).toBe(false);
  const isWanted = nameFilter([filter, '?_x']);
  expect(isWanted('a'.repeat(500))).toBe(false);
  expect([isWanted(`${'a'.repeat(500)}b`), isWanted('1_x'), isWanted('12_x')]).toEqual([true, true, false]);
});

it('says of a filter that it can’t match by', () => {
  expect(() => nameFilter(['!(a)'], patterns)('a')).not.toThrow();
  expect(() => nameFilter(['*', '!!(a|b)'], patterns)).toThrow('not supported');
  expect(() => nameFilter(['[ab]'])).toThrow(new PatternFault('[ab]', 'was not expected'));
});
