import type { RunDetail, RunStep } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { runLines, runMermaid } from './run-picture.ts';

const at = '2026-11-22T10:00:00.000Z';
const nothing = { tokens: 0, costUsd: 0 };

const step = (name: string, also: Partial<RunStep> = {}): RunStep => ({
  name,
  title: name,
  kind: 'step',
  status: 'completed',
  attempt: 1,
  startedAt: at,
  endedAt: at,
  spent: nothing,
  ...also,
});

const run = (id: string, also: Partial<RunDetail>): RunDetail => ({
  id,
  kind: 'k',
  version: 1,
  title: id,
  status: 'completed',
  rootId: 'root',
  createdAt: at,
  updatedAt: at,
  budget: { spent: nothing, reserved: nothing },
  input: null,
  steps: [],
  questions: [],
  children: [],
  ...also,
});

const family = run('root', {
  steps: [step('plan'), step('work', { kind: 'child', childId: 'worker' }), step('ask around')],
  children: [
    run('worker', { parentId: 'root', parentStep: 'work', steps: [step('think')] }),
    run('first', { parentId: 'root', parentStep: 'ask around', steps: [step('look')] }),
    run('second', { parentId: 'root', parentStep: 'ask around', steps: [step('listen')] }),
  ],
});

it('shows under each step the run that does it, and all that its calls have started', () => {
  const [, , ...lines] = runLines(family);
  expect(lines).toEqual([
    '✓ plan 0.0 s',
    '✓ work 0.0 s',
    '  ✓ think 0.0 s',
    '✓ ask around 0.0 s',
    '  ✓ look 0.0 s',
    '  ✓ listen 0.0 s',
  ]);
});

it('draws each of them as a group of its step', () => {
  const drawn = runMermaid(family);
  expect(drawn).toContain('  subgraph r_1_c["worker"]');
  expect(drawn).toContain('  subgraph r_2_c["first"]');
  expect(drawn).toContain('  subgraph r_2_c1["second"]');
  const ids = drawn.flatMap((line) => /^ {2}(\w+)\[/.exec(line)?.[1] ?? []);
  expect(ids).toHaveLength(6);
  expect(new Set(ids).size).toBe(6);
});
