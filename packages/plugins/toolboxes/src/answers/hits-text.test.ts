import { describe, expect, it } from 'vitest';
import { hitsText } from './hits-text.ts';

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

describe('what find_tools says to a model', () => {
  it('is where each tool is, what it does to things, what it is for and what it takes', () => {
    const text = hitsText({
      hits: [
        {
          ...{ toolbox: 'dev', server: 'files', tool: 'read_file', description: 'Reads a file.', score: 1 },
          ...{
            annotations: reads,
            inputSchema: { $schema: 'x', type: 'object' },
            result: '{ text: string }',
          },
        },
        {
          ...{ toolbox: 'git', server: 'git', tool: 'push', score: 0.5 },
          ...{ annotations: { destructiveHint: true }, takes: '{ to: string }', isSchemaCut: true },
        },
        { toolbox: 'git', server: 'git', tool: 'add', score: 0.4, annotations: { readOnlyHint: false } },
        { toolbox: 'git', server: 'git', tool: 'log', score: 0.3, resultSeen: '{ sha: string }[]' },
      ],
      total: 9,
      unreachable: [],
    });
    expect(text).toBe(
      [
        '4 of 9 tools.',
        'dev / files: read_file (reads): Reads a file.',
        '{"type":"object"}',
        'answers { text: string }',
        'git: push (may destroy)',
        '{ to: string } isSchemaCut',
        'git: add (writes)',
        'git: log',
      ].join('\n'),
    );
  });

  it('has what the likeliest answered where nobody says what it answers', () => {
    const hit = { toolbox: 'git', server: 'git', tool: 'log', score: 1, resultSeen: '{ sha: string }[]' };
    expect(hitsText({ hits: [hit], total: 1, unreachable: [] })).toBe(
      '1 tool.\ngit: log\nanswered { sha: string }[]',
    );
  });

  it('says how the next are had', () => {
    const hit = { toolbox: 'git', server: 'git', tool: 'log', score: 1 };
    const text = hitsText({ hits: [hit], total: 9, nextOffset: 4, unreachable: [] });
    expect(text).toBe('1 of 9 tools; offset 4 gives the next.\ngit: log');
    expect(hitsText({ hits: [], total: 9, unreachable: [] })).toBe('0 of 9 tools.');
  });

  it('has what could not be searched, and what is said beside the tools', () => {
    const unreachable = [{ toolbox: 'a', server: 'b', reason: 'is away' }];
    expect(hitsText({ hits: [], total: 0, unreachable, unreachableTotal: 3, note: 'Nothing fits.' })).toBe(
      'No tool. Nothing fits.\nNot searched:\na / b: is away\nand 2 more',
    );
  });
});
