import { expect, it } from 'vitest';
import { catalogued } from '../test/catalogued.ts';
import { indexWords } from './ranking/word-index.ts';
import { createToolFinder } from './tool-finder.ts';

const catalogue = (version: string, name = 'run') => ({
  tools: [catalogued('s', { name })],
  unreachable: [],
  version,
});

it('keeps an index for as long as the version is the same', async () => {
  const finder = createToolFinder();
  const first = await finder.rankingOf(catalogue('1'));
  expect(await finder.rankingOf(catalogue('1'))).toBe(first);
  const changed = await finder.rankingOf(catalogue('2', 'walk'));
  const found = changed.search({ queries: ['walk'], toolboxes: [], limit: 5 });
  expect(found.hits).toMatchObject([{ tool: { tool: 'walk' } }]);
});

it('forgets the one longest unused', async () => {
  const finder = createToolFinder();
  const first = await finder.rankingOf(catalogue('1'));
  const second = await finder.rankingOf(catalogue('2'));
  await finder.rankingOf(catalogue('3'));
  await finder.rankingOf(catalogue('1'));
  await finder.rankingOf(catalogue('4'));
  expect(await finder.rankingOf(catalogue('1'))).toBe(first);
  expect(await finder.rankingOf(catalogue('2'))).not.toBe(second);
});

it('tries again what could not be made', async () => {
  let tries = 0;
  const finder = createToolFinder(() => async () => {
    tries += 1;
    if (tries === 1) throw new Error('no thread');
    return indexWords([], async () => {});
  });
  await expect(finder.rankingOf(catalogue('1'))).rejects.toThrow('no thread');
  await expect(finder.rankingOf(catalogue('1'))).resolves.toBeDefined();
});
