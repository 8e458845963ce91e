import { describe, expect, it } from 'vitest';
import { assertPermitted } from './permissions.ts';

describe('permissions', () => {
  it.each([
    ['everything without an allow list', { deny: [] }],
    ['a name', { allow: ['memory_write'], deny: [] }],
    ['a pattern', { allow: ['memory_*'], deny: ['memory_query'] }],
    ['a pattern with a star in the middle', { allow: ['m*e'], deny: [] }],
    ['a pattern with many stars', { allow: ['*m*_*r*e*'], deny: [] }],
    ['a star that stands for nothing', { allow: ['memory_write*'], deny: [] }],
  ])('allow %s', (_, permissions) => {
    expect(() => assertPermitted('memory_write', permissions)).not.toThrow();
  });

  it.each([
    [
      'a denied name, though allowed',
      { allow: ['*'], deny: ['memory_write'] },
      'permissions.deny "memory_write"',
    ],
    ['a denied pattern, naming it', { deny: ['github_*', '*_write'] }, 'permissions.deny "*_write"'],
    ['what the allow list leaves out', { allow: ['memory_query'], deny: [] }, 'not among permissions.allow'],
    ['everything under an empty allow list', { allow: [], deny: [] }, 'not among permissions.allow'],
    [
      'a pattern whose ends overlap',
      { allow: ['memory_wri*write'], deny: [] },
      'not among permissions.allow',
    ],
    ['a pattern whose middle is not there', { allow: ['m*x*e'], deny: [] }, 'not among permissions.allow'],
    ['a part of a name', { allow: ['memory'], deny: [] }, 'not among permissions.allow'],
    ['a pattern whose dot is a dot', { allow: ['memory.write'], deny: [] }, 'not among permissions.allow'],
  ])('refuse %s', (_, permissions, text) => {
    expect(() => assertPermitted('memory_write', permissions)).toThrow(
      expect.objectContaining({ code: 'NEXUS_DENIED', message: expect.stringContaining(text) }),
    );
  });
});
