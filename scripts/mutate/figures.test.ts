import { expect, it } from 'vitest';
import { memoryWorkspace } from '../workspace/memory-workspace.ts';
import { isOld, sourceOf, withFigure } from './figures.ts';

const figure = (source: string) => ({ source, total: 1, killed: 1, hung: 0 });
const guard = { folder: 'packages/a', file: 'src/b.ts', tests: [] };
const path = 'packages/a/src/b.ts';

it('a figure comes in its place, and takes that of the one before', () => {
  const once = withFigure({ 'b.ts': figure('b') }, 'a.ts', figure('a'));
  expect(Object.entries(once)).toEqual([
    ['a.ts', figure('a')],
    ['b.ts', figure('b')],
  ]);
  expect(withFigure(once, 'a.ts', figure('c'))['a.ts']).toEqual(figure('c'));
});

it('a figure is old where its file has changed since', () => {
  const workspace = memoryWorkspace({ [path]: 'now\n' });
  expect(isOld(workspace, { [path]: figure(sourceOf('now\n')) }, guard)).toBe(false);
  expect(isOld(workspace, { [path]: figure(sourceOf('now\r\n')) }, guard)).toBe(false);
  expect(isOld(workspace, { [path]: figure(sourceOf('before\n')) }, guard)).toBe(true);
});

it('a guard without a figure has no old one', () => {
  expect(isOld(memoryWorkspace({ [path]: 'now\n' }), {}, guard)).toBe(false);
});
