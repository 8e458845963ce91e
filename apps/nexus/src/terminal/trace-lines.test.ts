import type { TraceRecord } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { traceLines } from './trace-lines.ts';

function span(id: string, parentId: string | undefined, of: Partial<TraceRecord> = {}): TraceRecord {
  return {
    type: 'step',
    name: `step ${id}`,
    kind: 'internal',
    traceId: 'a'.repeat(32),
    spanId: id,
    parentId,
    startMs: 0,
    endMs: 1_000,
    attributes: {},
    ...of,
  };
}

const trace = [
  span('run', undefined, { type: 'run', name: 'invoke_workflow two', endMs: 4_000 }),
  span('look', 'run', { startMs: 0, endMs: 1_000, attributes: { 'nexus.step.attempt': 2 } }),
  span('ask', 'run', { type: 'wait', startMs: 1_000, endMs: 3_000 }),
  span('write', 'run', { startMs: 3_000, endMs: 4_000, error: 'no' }),
  span('call', 'write', { type: 'call', name: 'execute_tool \u001b[31mbad', startMs: 3_500, endMs: 3_600 }),
];

describe('a trace as a timeline', () => {
  it('draws work and waiting apart, what failed, and each span under its own', () => {
    expect(traceLines(trace, 80)).toMatchInlineSnapshot(`
      [
        "  invoke_workflow two                  4.0 s ██████████████████████████████████",
        "    step look (attempt 2)              1.0 s █████████",
        "    step ask                           2.0 s         ░░░░░░░░░░░░░░░░░",
        "✗   step write                         1.0 s                          █████████",
        "      execute_tool \\u001b[31mbad      100 ms                              █",
        "",
        "4.0 s in all; █ works, ░ waits, ✗ failed.",
      ]
    `);
  });

  it.each([60, 100, 200])('keeps to %i columns', (columns) => {
    for (const line of traceLines(trace, columns)) expect(line.length).toBeLessThanOrEqual(columns);
  });

  it('draws each span once, whoever it says that its parent is', () => {
    const circle = [span('a', 'b'), span('b', 'a'), span('c', undefined)];
    expect(traceLines(circle, 80).filter((line) => line.includes('step'))).toHaveLength(3);
    expect(traceLines([], 80)).toEqual([]);
  });
});
