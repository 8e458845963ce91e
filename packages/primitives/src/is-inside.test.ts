import { join, parse, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInside } from './is-inside.ts';

const folder = resolve('/top/project');

describe('isInside', () => {
  it.each(['.', 'src', 'src/deep/file.ts', '..hidden', '...', 'src/..'])('holds for %s', (path) => {
    expect(isInside({ path: join(folder, path), folder })).toBe(true);
  });

  it.each(['..', '../other', '../project-2', '../..', '../projec', 'src/../../x'])(
    'does not hold for %s',
    (path) => {
      expect(isInside({ path: join(folder, path), folder })).toBe(false);
    },
  );

  it('holds for all below the root of the file system', () => {
    expect(isInside({ path: folder, folder: parse(folder).root })).toBe(true);
    expect(isInside({ path: parse(folder).root, folder })).toBe(false);
  });

  it('holds both ways only for the same path', () => {
    const name = fc.stringMatching(/^[a-z.]{1,3}$/).filter((each) => each !== '.' && each !== '..');
    const path = fc.array(name, { maxLength: 4 }).map((names) => resolve('/', ...names));
    fc.assert(
      fc.property(path, path, (one, other) => {
        const both = isInside({ path: one, folder: other }) && isInside({ path: other, folder: one });
        expect(both).toBe(one === other);
      }),
    );
  });
});
