import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FixtureRepository, fixtureRepository } from '../../test/fixture-repository.ts';
import type { Place } from '../worktree/place.ts';
import { partsOfChange, withPathsAlone } from './tests-alone.ts';

let repository: FixtureRepository;
let place: Place;
const { signal } = new AbortController();

beforeEach(() => {
  repository = fixtureRepository({
    'sum.js': 'old',
    'gone.js': 'old',
    'sum.test.js': 'old test',
    'gone.test.js': 'old test',
    'test_x/sum.js': 'old',
  });
  const { path } = repository;
  const base = repository.git('rev-parse', 'HEAD').trim();
  place = { repository: path, folder: '', path, top: path, branch: 'main', doneBranch: 'main', base };
  repository.write('sum.js', 'new');
  repository.write('made.js', 'new');
  repository.write('sum.test.js', 'new test');
  repository.write('test_x/sum.js', 'new');
  repository.write('test_*', 'new test');
  repository.git('rm', '--quiet', 'gone.js', 'gone.test.js');
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message=Change');
});
afterEach(() => repository[Symbol.dispose]());

const textOf = (file: string) => {
  const path = join(repository.path, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
};
const FILES = [
  'sum.js',
  'made.js',
  'gone.js',
  'sum.test.js',
  'test_*',
  'gone.test.js',
  'test_x/sum.js',
  'left.js',
];
const now = () => FILES.map(textOf);

const CHANGED = ['new', 'new', undefined, 'new test', 'new test', undefined, 'new', undefined];
const TESTS_ALONE = ['old', undefined, 'old', 'new test', 'new test', undefined, 'old', undefined];

describe('the tests of a change', () => {
  it('stand alone with all else as it was, and then the change stands there again', async () => {
    const parts = await partsOfChange(place, signal);
    expect(parts).toEqual({
      tests: ['gone.test.js', 'sum.test.js', 'test_*'],
      others: ['gone.js', 'made.js', 'sum.js', 'test_x/sum.js'],
    });
    expect(now()).toEqual(CHANGED);
    expect(
      await withPathsAlone(place, parts.tests, { at: place.base, signal, work: async () => now() }),
    ).toEqual(TESTS_ALONE);
    expect(now()).toEqual(CHANGED);
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('are taken down where the work fails, with what it left', async () => {
    const parts = await partsOfChange(place, signal);
    const work = async () => {
      repository.write('report.xml', 'left');
      throw new Error('it failed');
    };
    await expect(withPathsAlone(place, parts.tests, { at: place.base, signal, work })).rejects.toThrow(
      'it failed',
    );
    expect(now()).toEqual(CHANGED);
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('stand alone also after somebody who was ended in the middle', async () => {
    const parts = await partsOfChange(place, signal);
    const ended = new AbortController();
    const work = async () => {
      repository.write('left.js', 'half way');
      ended.abort(new Error('ended'));
      throw new Error('ended');
    };
    await expect(
      withPathsAlone(place, parts.tests, { at: place.base, signal: ended.signal, work }),
    ).rejects.toThrow('ended');
    expect(now()).not.toEqual(CHANGED);
    expect(
      await withPathsAlone(place, parts.tests, { at: place.base, signal, work: async () => now() }),
    ).toEqual(TESTS_ALONE);
    expect(now()).toEqual(CHANGED);
  });
});
