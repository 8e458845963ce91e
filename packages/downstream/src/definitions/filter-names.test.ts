import { expect, it } from 'vitest';
import { nameFilter } from './filter-names.ts';

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
  [['READ_FILE'], []],
])('%j lets %j through', (filters, expected) => {
  expect(['read_file', 'write_file', 'a/b'].filter(nameFilter(filters))).toEqual(expected);
});

it('takes a name with the characters of a glob by the letter, too', () => {
  expect(nameFilter(['list[all]'])('list[all]')).toBe(true);
});
