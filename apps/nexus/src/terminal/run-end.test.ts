import type { RunDetail } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { endLines, withoutWayOn } from './run-end.ts';

const run = (status: string, cap?: object) =>
  ({
    id: 'run_0123456789abcdef0123456789abcdef',
    status,
    usage: { calls: 0 },
    budget: { cap },
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:02.000Z',
  }) as unknown as RunDetail; // what is read of it

it.each([
  ['completed', undefined, undefined],
  ['failed', undefined, 'nexus runs rerun'],
  ['cancelled', undefined, 'nexus runs rerun'],
  ['paused', { costUsd: 1 }, 'nexus runs resume'],
  ['paused', { tokens: 100, costUsd: 1 }, 'nexus runs resume'],
])('of a run that is %s tells what it came to, and what a person types to go on', (status, cap, command) => {
  const told = endLines(run(status, cap)).join('\n');
  expect(told).toMatch(new RegExp(`^\\n${status}: no model asked; 2\\.0 s; \`nexus runs run_\\w+\` shows`));
  expect(told.includes('goes on with it')).toBe(command !== undefined);
  if (command !== undefined) expect(told).toContain(`\`${command} run_0123456789abcdef0123456789abcdef`);
  expect(told.includes(' --usd <amount>')).toBe(cap?.costUsd !== undefined);
  expect(told.includes(' --tokens <count>')).toBe(cap !== undefined && 'tokens' in cap);
  expect(told).not.toContain('resume_run');
});

it('leaves an answer as it is, and of what failed only why', () => {
  const text =
    'It is not there.\nRun run_1 keeps what is done: nexus://runs/run_1 and `nexus runs run_1` show it, resume_run goes on from there.\nSo far: no model asked; 2.0 s';
  const content = [{ type: 'text', text }];
  expect(withoutWayOn({ content, isError: true })).toEqual({
    content: [{ type: 'text', text: 'It is not there.' }],
    isError: true,
  });
  expect(withoutWayOn({ content })).toEqual({ content });
});
