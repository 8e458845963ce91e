import { describe, expect, it } from 'vitest';
import { nearestNames } from './nearest-names.ts';

const names = ['search_codebase', 'search_usages', 'memory_query', 'memory_write', 'bundle', 'q'];

describe('nearest names', () => {
  it.each([
    ['serach_codebase', ['search_codebase']],
    ['MEMORY_QUERY', ['memory_query', 'memory_write']],
    ['codebase', ['search_codebase']],
    ['bundel', ['bundle']],
    ['memory', ['memory_query', 'memory_write']],
    ['zzzzzz', []],
    ['', []],
  ])('of %s are %j', (typed, expected) => {
    expect(nearestNames(typed, names)).toEqual(expected);
  });

  it('come first where they begin with it, of those that are as near', () => {
    expect(nearestNames('search', ['research_add', 'search_codebase'])[0]).toBe('search_codebase');
  });

  it('come best first and at most as many as asked for', () => {
    expect(nearestNames('search_usage', names, 1)).toEqual(['search_usages']);
    expect(nearestNames('aaa', ['aab', 'aac', 'aad', 'aae'])).toEqual(['aab', 'aac', 'aad']);
  });

  it('do not take a name of a letter or two for a part of what was typed', () => {
    expect(nearestNames('query_all', ['q', 'qu'])).toEqual([]);
  });

  it('are none for a text far longer than any name', () => {
    expect(nearestNames('x'.repeat(5_000_000), names)).toEqual([]);
  });
});
