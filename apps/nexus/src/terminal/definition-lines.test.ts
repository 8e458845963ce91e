import { expect, it } from 'vitest';
import { definitionLines } from './definition-lines.ts';
import { shownWidth } from './wrap.ts';

const definitions = [
  ['/help', 'this list'],
  ['/cap <dollars>', 'how much a conversation may cost; a turn that would exceed it is not made'],
] as const;
const words = definitions.flat().join(' ').split(' ');

it.each([36, 60, 100, 200])('are whole, and broken between words, in a window of %i columns', (columns) => {
  const lines = definitionLines(definitions, columns);
  expect(lines.every((line) => shownWidth(line) <= columns)).toBe(true);
  expect(lines.join(' ').trim().split(/\s+/)).toEqual(words);
});

it('has each text beside its term where there is room, and else below it', () => {
  expect(definitionLines(definitions, 60)).toEqual([
    '/help           this list',
    '/cap <dollars>  how much a conversation may cost; a turn',
    '                that would exceed it is not made',
  ]);
  expect(definitionLines(definitions, 36).slice(0, 4)).toEqual([
    '/help',
    '  this list',
    '/cap <dollars>',
    '  how much a conversation may cost;',
  ]);
});

it('breaks nothing where no window bounds it', () => {
  expect(definitionLines(definitions, undefined)).toHaveLength(2);
});
