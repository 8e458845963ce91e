import type { RunDetail, RunStep } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { amount, goneOnLines, planLines } from './rerun-run.ts';

it('says what is to be paid, what is not known of it, and that nothing is only where nothing is', () => {
  expect(amount({ tokens: 0, costUsd: 0 })).toBe('nothing');
  expect(amount({ tokens: 110, costUsd: 0.5 })).toBe('110 tokens, $0.5000');
  expect(amount({ tokens: 0, costUsd: 0 }, 1)).toBe('not known of 1 call');
  expect(amount({ tokens: 110, costUsd: 0 }, 3)).toBe('at least 110 tokens; not known of 3 calls');
});

const nothing = { tokens: 0, costUsd: 0 };
const run = { id: 'run_1', kind: 'k', title: 'Plan', status: 'failed', steps: [], children: [] } as const;

it('calls steps as views do, also those of runs below, and tells of none that no view shows', () => {
  const step = (name: string, title: string, kind = 'step') => ({ name, title, kind }) as RunStep;
  const below = {
    ...{ id: 'run_2', steps: [step('ask model 1', 'asks the model')], children: [] },
  } as unknown as RunDetail;
  const detail = {
    ...run,
    steps: [step('graph', 'graph', 'event'), step('a#1/work', 'alpha'), step('b#1/work', 'alpha')],
    children: [below],
  };
  const runs = [
    { runId: 'run_2', isAnew: false, kept: ['ask model 1', 'gone'], repeated: [], cost: nothing },
  ];
  const repeated = [{ name: 'b#1/work', spent: nothing, runs }];
  const plan = { runId: 'run_1', kept: ['graph', 'a#1/work'], repeated, cost: nothing };
  expect(planLines(detail, plan, true).slice(1, 7)).toEqual([
    'Kept: alpha',
    'Done again, with what it costs again:',
    '  alpha (2): nothing',
    '    goes on with run run_2',
    '      Kept: asks the model, gone',
    '      Done again: nothing that had begun',
  ]);
});

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
