import { describe, expect, it } from 'vitest';
import { fixtureSubject } from '../fixture-subject.ts';
import { manifests } from './manifests.ts';

const SOUND = {
  name: '@nexus/plugin-words',
  description: 'Counts words in texts',
  license: 'MIT',
  type: 'module',
  engines: { node: '>=20.19' },
  exports: { '.': './src/index.ts' },
  scripts: { test: 'vitest run' },
};
const check = (changes: object) =>
  manifests.run(
    fixtureSubject({ files: { 'packages/plugins/words/package.json': { ...SOUND, ...changes } } }),
  );

describe('manifests', () => {
  it('finds nothing in a sound package.json', () => {
    expect(check({})).toEqual([]);
  });

  it.each([
    [{ name: '@nexus/words' }, 'is not named after its folder'],
    [{ type: 'commonjs' }, 'is no ES module'],
    [{ engines: { node: '>=18' } }, 'does not say which Node it needs'],
    [{ description: '' }, 'has no description'],
    [{ license: undefined }, 'states no license'],
    [{ scripts: { build: 'tsc' } }, 'has no script "test"'],
    [{ exports: { '.': './dist/index.js' } }, 'exports something else than TypeScript source'],
    [{ exports: undefined }, 'exports something else than TypeScript source'],
  ])('finds that %j is wrong', (changes, what) => {
    expect(check(changes)).toMatchObject([{ where: 'packages/plugins/words/package.json', what }]);
  });

  it('does not pass when there is no package', () => {
    expect(manifests.run(fixtureSubject())).toMatchObject([{ what: 'looked at no packages' }]);
  });
});
