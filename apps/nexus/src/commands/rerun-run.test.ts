import { expect, it } from 'vitest';
import { amount, goneOnLines, planLines } from './rerun-run.ts';

it('says what is to be paid, what is not known of it, and that nothing is only where nothing is', () => {
  expect(amount({ tokens: 0, costUsd: 0 })).toBe('nothing');
  expect(amount({ tokens: 110, costUsd: 0.5 })).toBe('110 tokens, $0.5000');
  expect(amount({ tokens: 0, costUsd: 0 }, 1)).toBe('not known of 1 call');
  expect(amount({ tokens: 110, costUsd: 0 }, 3)).toBe('at least 110 tokens; not known of 3 calls');
});

const nothing = { tokens: 0, costUsd: 0 };
const run = { id: 'run_1', kind: 'k', title: 'Plan', status: 'failed' } as const;

it('says of a run that failed while none of its steps did that it may fail so again', () => {
  const plan = { runId: 'run_1', kept: ['plan'], repeated: [], cost: nothing };
  expect(planLines(run, plan, true).slice(-3)).toEqual([
    'Done again: nothing that had begun',
    'In all: nothing, and what had not begun',
    'None of its steps failed, so it may fail the same way again; --from <step> or --all does more anew.',
  ]);
  const repeated = [{ name: 'plan', spent: nothing }];
  expect(planLines(run, { ...plan, kept: [], repeated }, true).at(-1)).toBe(
    'In all: nothing, and what had not begun',
  );
});

it('says of a completed run what is done again, of which nothing had not begun', () => {
  const repeated = [{ name: 'plan', spent: nothing }];
  const plan = { runId: 'run_1', kept: [], repeated, cost: nothing };
  expect(planLines({ ...run, status: 'completed' }, plan, false).at(-1)).toBe('In all: nothing');
});

it('says of a run that went on before in which it does, and what becomes of that', () => {
  const on = (status: 'queued' | 'completed') => goneOnLines(run, { id: 'run_2', status });
  expect(on('queued')).toEqual([
    'Plan, run run_1, goes on in run run_2, which is queued: that one goes on, and none is begun beside it.',
  ]);
  expect(on('completed').at(0)).toMatch(/run_2, which is completed: nothing is done again/);
});
