import { expect, it } from 'vitest';
import { nearestArgument } from './nearest-argument.ts';

const names = ['name', 'filePath', 'directory', 'limit', 'context', 'dispatch', 'worker', 'task', 'q'];

it.each([
  ['nmae', 'name'],
  ['NAME', 'name'],
  ['limt', 'limit'],
  ['path', 'filePath'],
  ['dir', 'directory'],
  ['file_path', 'filePath'],
  ['taskName', 'name'],
  ['commit', undefined],
  ['text', undefined],
  ['folder', undefined],
  ['tags', undefined],
  ['q_all', undefined],
  ['', undefined],
  ['x'.repeat(5_000_000), undefined],
])('of %s the nearest is %s: what a typist misses or leaves out, not what shares letters', (typed, near) => {
  expect(nearestArgument(typed, names)).toBe(near);
});
