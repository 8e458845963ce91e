import { expect, it } from 'vitest';
import { toolLines } from './tool-lines.ts';

const tool = {
  name: 'find_roofs',
  title: 'Find roofs',
  description: 'Finds roofs that hold water, by words or by place.\nAnswers the best of them first.',
  inputSchema: {
    type: 'object' as const,
    properties: {
      query: { type: 'string', description: 'Words that a roof is described by' },
      order: { enum: ['best', 'newest'], default: 'best' },
      places: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'object' }] } },
      any: {},
    },
    required: ['query'],
  },
};

it('says what a tool does and takes, in rows that fit and break between words', () => {
  const lines = toolLines(tool, 40);
  expect(lines).toEqual([
    'find_roofs: Find roofs',
    '  Finds roofs that hold water, by words',
    '  or by place.',
    '  Answers the best of them first.',
    '',
    'Arguments:',
    '  query: string, required',
    '    Words that a roof is described by',
    '  order: one of best, newest, "best" by',
    '  default',
    '  places: list of string or object',
    '  any: anything',
    '',
    '`nexus tools find_roofs --json` prints',
    'it whole, with its schemas.',
  ]);
});

it('lets nothing that a tool says act on the terminal, and says where it takes nothing', () => {
  const odd = { name: 'a\u001b[2J', description: 'b\u009b1m', inputSchema: { type: 'object' as const } };
  const text = toolLines(odd, 80).join('\n');
  expect(text).not.toMatch(/[\u001b\u009b]/);
  expect(text).toContain('It takes no arguments.');
});
