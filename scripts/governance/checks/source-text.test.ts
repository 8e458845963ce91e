import { describe, expect, it } from 'vitest';
import { fixtureSubject } from '../fixture-subject.ts';
import { sourceText } from './source-text.ts';

const check = (file: string, text: string) => sourceText.run(fixtureSubject({ files: { [file]: text } }));
/** Put together here, so that this file itself is free of them. */
const planted = (...parts: string[]) => parts.join('');

describe('source-text', () => {
  it.each([
    ['packages/core/src/a.ts', '// Why it is so.\nexport const a = 1;\n'],
    ['packages/core/src/a.ts', "const example = 'call search_codebase query=TODO';"],
    ['docs/setup.md', 'Put it in ~/work/notes or https://example.com/home/page/, or /home/you/x.'],
    ['packages/core/src/a.ts', 'z.string().regex(/^[A-Za-z/]+$/u).max(3); z.string().regex(WORD)'],
    ['packages/core/src/a.test.ts', "it.skipIf(isWindows)('ends the group', () => {});"],
  ])('finds nothing in %s', (file, text) => {
    expect(check(file, text)).toEqual([]);
  });

  it.each([
    ['packages/core/src/a.ts', planted('\n// TO', 'DO: later'), 'marks something as unfinished'],
    ['packages/core/src/a.test.ts', planted('\nit', ".skip('works')"), 'leaves tests out'],
    ['packages/core/src/a.ts', planted('\nconst s = AbortSignal.a', 'ny([a, b]);'), 'joins signals'],
    ['packages/a/src/a.ts', planted('\nway.starts', 'With(`..${sep}`)'), 'lies in a folder'],
    ['packages/a/src/a.ts', planted('\nreal.starts', 'With(folder + sep)'), 'lies in a folder'],
    ['packages/a/src/a.ts', planted('\nreal.starts', 'With(`${folder}${sep}`)'), 'lies in a folder'],
    ['packages/a/src/a.ts', planted('\n`${n} line${n === 1 ? ', "'' : 's'}`"), 'a plural by hand'],
    ['packages/a/src/a.ts', planted('\n`${n} line${n > 1 ? ', "'s' : ''}`"), 'a plural by hand'],
    ['packages/a/src/a.ts', planted('\nz.string().reg', 'ex(/^[a-z/]+$/i)'), 'flags are lost'],
    ['packages/a/src/a.ts', planted('\nz.string().reg', "ex(\n  /^a$/gi, 'a')"), 'flags are lost'],
    ['docs/setup.md', planted('\nSee /ro', 'ot/notes.md'), 'names a path of somebody’s machine'],
    ['docs/setup.md', planted('\nSee `/ho', 'me/ann/nexus`'), 'names a path of somebody’s machine'],
    ['README.md', planted('\n"/Us', 'ers/ann/nexus"'), 'names a path of somebody’s machine'],
    ['README.md', planted('\nC:\\Us', 'ers\\ann'), 'names a path of somebody’s machine'],
  ])('finds in %s: %j', (file, text, what) => {
    expect(check(file, text)).toMatchObject([{ where: `${file}:2`, what: expect.stringContaining(what) }]);
  });

  it('does not pass when there is no file', () => {
    expect(sourceText.run(fixtureSubject())).toMatchObject([{ what: 'looked at no files' }]);
  });
});
