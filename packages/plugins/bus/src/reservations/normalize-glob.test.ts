import { describe, expect, it } from 'vitest';
import { normalizeGlob } from './normalize-glob.ts';

describe('a glob', () => {
  it.each([
    ['src/**', 'src/**'],
    ['./src/a.ts', 'src/a.ts'],
    ['src//api/../a.ts', 'src/a.ts'],
    ['src/', 'src/**'],
    ['src///', 'src/**'],
    ['src\\api\\a.ts', 'src/api/a.ts'],
    ['/home/me/project/src/a.ts', 'src/a.ts'],
    ['/home/me/project', '**'],
    ['/home/me/project/', '**'],
    ['.', '**'],
    ['./', '**'],
    ['?a b.ts?', '?a b.ts?'],
    ['src/ a.ts', 'src/ a.ts'],
  ])('%j is read as %j', (given, normal) => {
    expect(normalizeGlob(given, '/home/me/project')).toBe(normal);
  });

  it('is read below a Windows project root', () => {
    expect(normalizeGlob('C:\\work\\project\\src\\*.ts', 'C:\\work\\project')).toBe('src/*.ts');
    expect(normalizeGlob('c:\\Work\\Project\\src\\*.ts', 'C:\\work\\project')).toBe('src/*.ts');
  });

  it.each(['', '  '])('%j is refused, since it would mean everything', (glob) => {
    expect(() => normalizeGlob(glob, '/home/me/project')).toThrow('empty');
  });

  it.each([' a.ts', 'a.ts ', 'src/a.ts\n', '\u00a0a.ts', ' /home/me/project/a.ts', '.. '])(
    '%j is refused, since it may mean another file without its white space',
    (glob) => {
      expect(() => normalizeGlob(glob, '/home/me/project')).toThrow('begins or ends with white space');
    },
  );

  it.each(['..', '../other/**', 'src/../../x', '/etc/passwd', '/home/me/project2/a', 'D:\\other'])(
    '%j is refused, since it leads out of the project',
    (glob) => {
      expect(() => normalizeGlob(glob, '/home/me/project')).toThrow('leads out of the project');
    },
  );
});
