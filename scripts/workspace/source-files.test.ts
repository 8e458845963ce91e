import { describe, expect, it } from 'vitest';
import { memoryWorkspace } from './memory-workspace.ts';
import { place, sourceFiles, withoutComments } from './source-files.ts';

describe('sourceFiles', () => {
  it('takes what ships, and leaves tests and fixtures out', () => {
    const files = [
      'packages/core/src/a.ts',
      'packages/core/src/a.test.ts',
      'packages/core/src/fixtures/b.ts',
      'packages/core/test/c.ts',
      'packages/plugins/code/src/d.ts',
      'scripts/check/cli.ts',
    ];
    const workspace = memoryWorkspace(Object.fromEntries(files.map((file) => [file, ''])));
    expect(sourceFiles(workspace)).toEqual(['packages/core/src/a.ts', 'packages/plugins/code/src/d.ts']);
  });
});

describe('place', () => {
  it('counts lines from 1', () => {
    expect(place('a.ts', 'one\ntwo\nthree', 4)).toBe('a.ts:2');
  });
});

describe('withoutComments', () => {
  it('blanks comments and keeps every line where it is', () => {
    expect(withoutComments('a; // b\n/* c\nd */ e;')).toBe('a;     \n    \n     e;');
  });

  it('leaves what only looks like a comment inside a string', () => {
    const text = `const url = 'https://example.com'; const glob = "src/**/*.ts"; const t = \`/* \${x} */\`;`;
    expect(withoutComments(text)).toBe(text);
  });
});
