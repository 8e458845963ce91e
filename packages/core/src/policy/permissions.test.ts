import { describe, expect, it } from 'vitest';
import { assertPermitted, isPermitted } from './permissions.ts';

describe('permissions', () => {
  it.each([
    ['everything without an allow list', { deny: [] }],
    ['a name', { allow: ['memory_write'], deny: [] }],
    ['a pattern', { allow: ['memory_*'], deny: ['memory_query'] }],
    ['a pattern with a star in the middle', { allow: ['m*e'], deny: [] }],
    ['a pattern with many stars', { allow: ['*m*_*r*e*'], deny: [] }],
    ['a star that stands for nothing', { allow: ['memory_write*'], deny: [] }],
  ])('allow %s', (_, permissions) => {
    expect(() => assertPermitted({ name: 'memory_write' }, permissions)).not.toThrow();
    expect(isPermitted({ name: 'memory_write' }, permissions)).toBe(true);
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
    expect(() => assertPermitted({ name: 'memory_write' }, permissions)).toThrow(
      expect.objectContaining({ code: 'NEXUS_DENIED', message: expect.stringContaining(text) }),
    );
    expect(isPermitted({ name: 'memory_write' }, permissions)).toBe(false);
  });

  const moved = { name: 't__s__add_note', origin: 't__s__delete_all' };
  it('bind an allowed name to what the tool is at its server, whatever the config calls it', () => {
    expect(() => assertPermitted(moved, { allow: ['t__s__add_note'], deny: [] })).toThrow(
      /not among permissions\.allow in the config, where it would be named t__s__delete_all/,
    );
    expect(() => assertPermitted(moved, { allow: ['t__s__delete_*'], deny: [] })).not.toThrow();
  });

  it.each(['t__s__add_note', 't__s__delete_all'])(
    'deny a tool by what it is and by what it is called: %s',
    (name) => {
      expect(() => assertPermitted(moved, { deny: [name] })).toThrow(/permissions\.deny/);
    },
  );

  describe('of a project and of its user', () => {
    const own = { file: '/own/nexus.config.json', deny: ['*_query'], off: ['bundle'] };
    const of = (name: string, more: object = {}) =>
      assertPermitted({ name }, { deny: ['list_*'], own: { ...own, ...more } });

    it('allow what neither forbids', () => {
      expect(() => of('memory_write')).not.toThrow();
      expect(() => of('memory_write', { allow: ['memory_*'] })).not.toThrow();
    });

    it.each([
      ['memory_query', /denied by permissions.deny "\*_query" in \/own\/nexus.config.json, the user’s own/],
      ['bundle', /turned off by tools.bundle.enabled in \/own\/nexus.config.json, the user’s own/],
      ['list_jobs', /denied by permissions.deny "list_\*" in the config\./],
    ])('refuse %s, and say which file does', (name, said) => {
      expect(() => of(name)).toThrow(said);
    });

    it('refuse what the user’s own list leaves out', () => {
      expect(() => of('memory_write', { allow: ['bus_*'] })).toThrow(
        /not among permissions.allow in \/own\/nexus.config.json, the user’s own config/,
      );
    });
  });
});
