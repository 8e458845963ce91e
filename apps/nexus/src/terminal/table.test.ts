import { expect, it } from 'vitest';
import { table, tableWithText } from './table.ts';
import { shownWidth } from './wrap.ts';

it('makes each column as wide as its widest cell', () => {
  const rows = [
    ['z.ai1', '2'],
    ['reviewer', '10'],
  ];
  expect(table(['NAME', 'UNREAD'], rows)).toEqual(['NAME      UNREAD', 'z.ai1     2', 'reviewer  10']);
});

it('lets no text of an agent steer the terminal', () => {
  expect(table(['TITLE'], [['\x1b[2Jgone\x1b]0;title\x07\r\nnext\x9b31m']])[1]).toBe(
    '\\u001b[2Jgone\\u001b]0;title\\u0007\\r\\nnext\\u009b31m',
  );
});

const heading = ['RUN', 'STATUS', 'AGE', 'TITLE', 'MESSAGE'];
const rows = [
  [
    'run_0f12ab34',
    'waiting',
    '5 min',
    'Where could a login be forged? '.repeat(4).trim(),
    'asks: Publish it?',
  ],
  ['run_9999ab34', 'completed', '12 d', '日本語のテキスト'.repeat(9), ''],
];

it.each([60, 100, 200])('fits in a window of %i columns, and says what is cut', (columns) => {
  const lines = table(heading, rows, columns);
  expect(lines.every((line) => shownWidth(line) <= columns)).toBe(true);
  expect(lines).toHaveLength(3);
  expect(lines.slice(1).every((line) => /^run_\w{8} {2}/.test(line))).toBe(true);
  expect(lines.join('\n').includes('…')).toBe(columns < 200);
  expect(lines).toMatchSnapshot();
});

it('is a record a row where the window is too narrow for its columns', () => {
  const lines = table(heading, rows.slice(0, 1), 36);
  expect(lines.slice(0, 3)).toEqual(['RUN: run_0f12ab34', 'STATUS: waiting', 'AGE: 5 min']);
  expect(lines.every((line) => shownWidth(line) <= 36)).toBe(true);
  expect(lines.join(' ').replace(/\s+/g, ' ')).toContain('login be forged? Where could');
});

it('cuts nothing where no window bounds it', () => {
  expect(table(heading, rows, undefined).join('\n')).not.toContain('…');
});

it('breaks the sentences of a last column below each other, cuts none, and escapes what steers the terminal', () => {
  const why = 'has no key: set ANTHROPIC_API_KEY, or \u001b[2Jmodels.providers.anthropic.apiKey';
  const lines = tableWithText(
    ['SOURCE', 'FOUND', 'WHY'],
    [
      ['anthropic', 'no', why],
      ['openai', 'yes', ''],
    ],
    60,
  );
  expect(lines).toEqual([
    'SOURCE     FOUND  WHY',
    'anthropic  no     has no key: set ANTHROPIC_API_KEY, or',
    '                    \\u001b[2Jmodels.providers.anthropic.apiKey',
    'openai     yes',
  ]);
  expect(tableWithText(['A', 'B'], [['x', why]], undefined)).toHaveLength(2);
  expect(tableWithText(['A NAME OF SOME LENGTH', 'WHY'], [['x', 'one two three four five six']], 40)).toEqual(
    ['A NAME OF SOME LENGTH: x', 'WHY: one two three four five six'],
  );
});
