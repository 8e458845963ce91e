import { describe, expect, it } from 'vitest';
import { cut, fold } from './fit.ts';
import { shownWidth } from './wrap.ts';

describe('a line that is too long', () => {
  it.each([
    ['short', 10, 'short'],
    ['a line that is long', 10, 'a line th…'],
    ['ends at a space', 8, 'ends at…'],
    ['日本語のテキスト', 7, '日本語…'],
    ['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 5, '👩‍👩‍👧👩‍👩‍👧…'],
  ])('is cut with an ellipsis, and never within a character: %s', (line, columns, shown) => {
    expect(cut(line, columns)).toBe(shown);
    expect(shownWidth(cut(line, columns))).toBeLessThanOrEqual(columns);
  });

  it.each([60, 100, 200])('is broken between words, of %i columns', (columns) => {
    const words = Array.from({ length: 90 }, (_, at) => 'x'.repeat(1 + (at % 13)));
    const rows = fold([`  - ${words.join(' ')}`], columns);
    expect(rows.every((row) => shownWidth(row) <= columns)).toBe(true);
    expect(rows.join(' ').trim().split(/\s+/)).toEqual(['-', ...words]);
    expect(rows.slice(1).every((row) => /^ {4}\S/.test(row))).toBe(true);
  });

  it('is not broken within a command in backticks that a row has room for', () => {
    const line =
      'A run that failed goes on where it was: `nexus runs rerun run_0123456789abcdef`, or from a step.';
    expect(fold([line], 60)).toEqual([
      'A run that failed goes on where it was:',
      '  `nexus runs rerun run_0123456789abcdef`, or from a step.',
    ]);
    expect(fold(['  the file of which is at most 25 min old'], 35)).toEqual([
      '  the file of which is at most',
      '    25 min old',
    ]);
    expect(fold([line], 38)[1]).toBe('  was: `nexus runs rerun');
  });

  it('breaks what is written without spaces between its characters, however long', () => {
    const rows = fold([`- ${'日本語の長い文章です'.repeat(5)}`], 40);
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.every((row) => shownWidth(row) <= 40)).toBe(true);
  });

  it('breaks a path that is longer than the window beside its slashes, and in a command nowhere', () => {
    const path = `/tmp/nexus/${'projects/'.repeat(9)}state.db`;
    const rows = fold([`  the state: ${path} and https://example.org/${'a/'.repeat(40)}`], 60);
    const ofPath = rows.filter((row) => row.includes('projects'));
    expect(ofPath.length).toBeGreaterThan(1);
    expect(ofPath.every((row) => shownWidth(row) <= 60 && !/project$/.test(row))).toBe(true);
    expect(rows.at(-1)?.trim()).toBe(`https://example.org/${'a/'.repeat(40)}`);
    expect(
      fold([`nexus run ${path}`], 60)
        .at(-1)
        ?.trim(),
    ).toBe(path);
  });

  it('breaks JSON that is longer than the window between its members, and never within a string', () => {
    const value = {
      entities: Array.from({ length: 9 }, (_, at) => ({ name: `one,two,"${at}"`, is: ['a,b', 'c'] })),
    };
    const rows = fold([`warn  fields=${JSON.stringify(value)}  server=memory`], 60);
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.every((row) => shownWidth(row) <= 60)).toBe(true);
    const [, text = ''] =
      /fields=(.*) {2}server/.exec(rows.map((row) => row.replace(/^ {2}/, '')).join('')) ?? [];
    expect(JSON.parse(text)).toEqual(value);
  });

  it('stays one command for a shell', () => {
    const command =
      '  nexus runs answer run_0123456789 branch=… message=… --question publish --digest 0123abcd';
    const rows = fold([command], 60);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.slice(0, -1).every((row) => row.endsWith(' \\'))).toBe(true);
    expect(rows.map((row) => row.replace(/\\$/, '').trim()).join(' ')).toBe(command.trim());
  });
});
