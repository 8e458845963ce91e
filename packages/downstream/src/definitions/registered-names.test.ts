import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NamedOrigin, registeredNames } from './registered-names.ts';

const SAFE = /^[a-zA-Z0-9_-]{1,64}$/;

function namesOf(origins: readonly NamedOrigin[], toolbox = { name: 'dev', prefix: true }): string[] {
  const { names } = registeredNames(toolbox, origins);
  return origins.map((origin) => names.get(origin)?.registered ?? 'left out');
}

describe('a registered name', () => {
  it('is toolbox, server and tool, and needs no full name beside it', () => {
    const origin = { server: 'files', name: 'read_file' };
    const { names } = registeredNames({ name: 'dev', prefix: true }, [origin]);
    expect(names.get(origin)).toEqual({ registered: 'dev__files__read_file', full: undefined });
  });

  it('has an underscore for each character that hosts refuse, and the full name beside it', () => {
    const origin = { server: 'my files', name: 'read.🧰' };
    const { names } = registeredNames({ name: 'dev', prefix: true }, [origin]);
    expect(names.get(origin)).toEqual({
      registered: 'dev__my_files__read__',
      full: 'dev__my files__read.🧰',
    });
  });

  it('of more than 64 characters ends in a hash of all of it', () => {
    const [one, other] = namesOf([
      { server: 's', name: 'n'.repeat(80) },
      { server: 's', name: `${'n'.repeat(79)}m` },
    ]);
    expect(one).toHaveLength(64);
    expect(one).toMatch(/^dev__s__n+_[0-9a-f]{8}$/);
    expect(other).not.toBe(one);
  });

  it('of several that become one is left to the one that is so named by itself', () => {
    const names = namesOf([
      { server: 's', name: 'a.b' },
      { server: 's', name: 'a_b' },
      { server: 's', name: 'a/b' },
    ]);
    expect(names[1]).toBe('dev__s__a_b');
    expect(names[0]).toMatch(/^dev__s__a_b_[0-9a-f]{8}$/);
    expect(new Set(names).size).toBe(3);
  });

  it('tells servers and tools apart whose names run into each other', () => {
    const names = namesOf([
      { server: 'x', name: 'y__z' },
      { server: 'x__y', name: 'z' },
    ]);
    expect(new Set(names).size).toBe(2);
  });

  it('without a prefix is the server’s own, of the first server that has it', () => {
    const origins = [
      { server: 'b', name: 'echo' },
      { server: 'a', name: 'echo' },
      { server: 'a', name: 'other tool' },
    ];
    const { names, clashes } = registeredNames({ name: 'dev', prefix: false }, origins);
    expect([...names.values()].map(({ registered }) => registered)).toEqual([
      'echo',
      'dev__a__echo',
      'other_tool',
    ]);
    expect(clashes).toEqual([{ origin: { server: 'a', name: 'echo' }, holder: 'b' }]);
  });
});

describe('registered names, of whatever servers and tools are named', () => {
  const part = fc.oneof(
    fc.constantFrom('a', 'a_', '_a', 'a.b', 'a b', 'a_b', 'a__b', 'b'),
    fc.string({ minLength: 1, maxLength: 90, unit: 'grapheme' }),
  );
  const origins = fc.uniqueArray(fc.record({ server: part, name: part }), {
    selector: ({ server, name }) => JSON.stringify([server, name]),
    maxLength: 12,
  });

  it('are safe for every host, each for one tool', () => {
    fc.assert(
      fc.property(part, origins, (toolbox, all) => {
        const names = namesOf(all, { name: toolbox, prefix: true });
        for (const name of names) expect(name).toMatch(SAFE);
        expect(new Set(names).size).toBe(all.length);
      }),
    );
  });

  it('do not depend on the order of listing', () => {
    fc.assert(
      fc.property(origins, (all) => {
        expect(namesOf([...all].reverse()).reverse()).toEqual(namesOf(all));
      }),
    );
  });
});
