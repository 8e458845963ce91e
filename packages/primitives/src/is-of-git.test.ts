import { expect, it } from 'vitest';
import { isOfGit } from './is-of-git.ts';

it.each([
  ['/p/.git', true],
  ['/p/.git/config', true],
  ['/p/sub/.GIT/config', true],
  ['/p/sub/.git. /config', true],
  ['/p/GIT~1/config', true],
  ['/p/.g\u200cit/config', true],
  ['/other/.git/config', true],
  ['/p/.github/workflows/a.yml', false],
  ['/p/.gitignore', false],
  ['/p/mine.git/config', false],
  ['/p', false],
  ['/other/a.ts', false],
])('says of %s whether it is git’s own', (path, expected) => {
  expect(isOfGit({ path, folder: '/p' })).toBe(expected);
});

it('looks only below a folder that lies in one itself', () => {
  const folder = '/repo/.git/trees/feature';
  expect(isOfGit({ path: `${folder}/src/a.ts`, folder })).toBe(false);
  expect(isOfGit({ path: `${folder}/.git`, folder })).toBe(true);
  expect(isOfGit({ path: '/repo/.git/config', folder })).toBe(true);
});
