import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../models/message.ts';
import { hasSeen, linesSeenIn, linesShownBy } from './seen-lines.ts';

describe('the lines that an answer shows', () => {
  it.each([
    ['a file', 'src/a.ts: lines 3 to 4 of 9 lines.\n3\tone\n4\t', [{ file: 'src/a.ts', from: 3, to: 4 }]],
    [
      'symbols of a file',
      'src/a.ts: Basket.total, lines 3 to 3 of 9 lines.\n3\tone\n\nsrc/a.ts: sum, lines 7 to 7 of 9 lines.\n7\ttwo',
      [
        { file: 'src/a.ts', from: 3, to: 3 },
        { file: 'src/a.ts', from: 7, to: 7 },
      ],
    ],
    [
      'a search',
      '3 hits.\n\nsrc/a.ts\n3-before\n4:hit\n--\n9:hit\n\nsrc/b.ts\n1:hit',
      [
        { file: 'src/a.ts', from: 3, to: 4 },
        { file: 'src/a.ts', from: 9, to: 9 },
        { file: 'src/b.ts', from: 1, to: 1 },
      ],
    ],
    [
      'usages',
      'Defined in src/b.ts:1-3 sum()\n\nsrc/a.ts\n5 [call in f] sum(1)',
      [{ file: 'src/a.ts', from: 5, to: 5 }],
    ],
    [
      'what was cut in the middle',
      'src/a.ts: lines 1 to 9 of 9 lines.\n1\tone\n… cut …\n9\tnine',
      [{ file: 'src/a.ts', from: 1, to: 1 }],
    ],
  ])('of %s', (_, text, lines) => {
    expect(linesShownBy(text).filter(({ file }) => file.startsWith('src/'))).toEqual(lines);
  });
});

describe('the lines that somebody has seen', () => {
  const history = (name: string, text: string, isError = false): ModelMessage[] => [
    { role: 'assistant', content: [{ type: 'tool_use', id: '1', name, input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', toolUseId: '1', content: [{ type: 'text', text }], isError }],
    },
  ];
  const shown = 'Data from tool read_file:\n```\nsrc/a.ts: lines 3 to 5 of 9 lines.\n3\ta\n4\tb\n5\tc\n```';

  it('are those that tools showed it, and no others', () => {
    const seen = linesSeenIn(history('read_file', shown));
    expect(hasSeen(seen, { file: 'src/a.ts', from: 3, to: 5 })).toBe(true);
    expect(hasSeen(seen, { file: 'src/a.ts', from: 5, to: 6 })).toBe(false);
    expect(hasSeen(seen, { file: 'src/b.ts', from: 3, to: 3 })).toBe(false);
  });

  it('are none that failed, and none of tools that show no line as it stands', () => {
    expect(linesSeenIn(history('read_file', shown, true))).toEqual([]);
    expect(linesSeenIn(history('git_history', shown))).toEqual([]);
    expect(linesSeenIn(history('memory_query', shown))).toEqual([]);
  });

  it('may have been shown part by part, in any order', () => {
    const seen = [
      { file: 'a', from: 4, to: 9 },
      { file: 'a', from: 1, to: 3 },
    ];
    expect(hasSeen(seen, { file: 'a', from: 2, to: 8 })).toBe(true);
    expect(hasSeen(seen.slice(0, 1), { file: 'a', from: 2, to: 8 })).toBe(false);
  });
});
