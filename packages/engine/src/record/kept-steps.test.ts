import { ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { errorText } from './errors.ts';
import {
  endedBefore,
  goingOnBy,
  isOfUnknownOutcome,
  isTold,
  isUnknown,
  isUntold,
  type KeepRule,
  stoodWell,
  takeUpBy,
} from './kept-steps.ts';
import type { StepRow } from './tables.ts';

const UNKNOWN = errorText(new ToolError('NEXUS_OUTCOME_UNKNOWN', 'nobody knows'));
const OTHER = errorText(new ToolError('NEXUS_TIMEOUT', 'too long'));

const step = (name: string, more: Partial<StepRow>): StepRow => ({
  ...{ run_id: 'run', name, kind: 'step', title: name, status: 'completed', attempt: 1, is_repeatable: 1 },
  ...{ digest: null, input: null, output: null, error: null, child_id: null, wake_at: null },
  ...{ begin_seq: 1, end_seq: 2, started_at: 1, ended_at: 2 },
  ...more,
});
const failed = (name: string, more: Partial<StepRow>) =>
  step(name, { status: 'failed', error: OTHER, ...more });

/** A run as it was when it ended, in the order in which its steps began. */
const STEPS = [
  step('first', { begin_seq: 1, end_seq: 2 }),
  step('at once with a failure', { begin_seq: 3, end_seq: 9 }),
  failed('fails first', { begin_seq: 4, end_seq: 6 }),
  failed('ended with the run', { kind: 'child', begin_seq: 5, end_seq: null }),
  step('as it was known', { begin_seq: 6, end_seq: 8 }),
  step('after it', { begin_seq: 10, end_seq: 11 }),
  failed('fails later', { begin_seq: 12, end_seq: 13 }),
  failed('nobody knows', { begin_seq: 14, end_seq: 15, error: UNKNOWN }),
  step('answered', { kind: 'child', begin_seq: 16, end_seq: null }),
  step('under way', { status: 'running', begin_seq: 17, end_seq: null }),
  step('waits', { status: 'waiting', begin_seq: 18, end_seq: null }),
];
const kept = (rule: KeepRule, steps = STEPS) => steps.filter(rule(steps)).map(({ name }) => name);

const WELL = ['first', 'at once with a failure'];
const ALL_ENDED = [
  ...['first', 'at once with a failure', 'fails first', 'as it was known', 'after it'],
  ...['fails later', 'nobody knows', 'answered'],
];

describe('of a run that is run again, there stands', () => {
  it('from a step on what had ended when that began, and without one nothing', () => {
    const start = STEPS.find(({ name }) => name === 'as it was known');
    expect(kept(endedBefore(start))).toEqual(['first']);
    expect(kept(endedBefore(step('late', { begin_seq: 9 })))).toEqual([
      'first',
      'fails first',
      'as it was known',
    ]);
    expect(kept(endedBefore(undefined))).toEqual([]);
  });

  it('what ended well and began before any failure was known', () => {
    expect(kept(stoodWell)).toEqual(WELL);
    const sound = STEPS.filter(({ status, end_seq }) => status !== 'failed' || end_seq === null);
    expect(kept(stoodWell, sound)).toEqual([...WELL, 'as it was known', 'after it', 'answered']);
  });
});

describe('a run that goes on', () => {
  it.each([
    ['failed', true, WELL],
    ['cancelled', true, WELL],
    ['cancelled', false, ALL_ENDED],
    ['completed', false, ALL_ENDED],
  ] as const)(
    'where it was %s, and whoever has it go on was told of what nobody knows: %s',
    (status, told, names) => {
      expect(kept(goingOnBy({ status, error: null }, told))).toEqual(names);
    },
  );

  it('is told of what nobody knows, unless whoever has it go on was told before', () => {
    const steps = [step('first', {}), failed('nobody knows', { begin_seq: 3, end_seq: 4, error: UNKNOWN })];
    expect(kept(goingOnBy({ status: 'failed', error: null }, false), steps)).toEqual([
      'first',
      'nobody knows',
    ]);
    expect(kept(goingOnBy({ status: 'failed', error: null }, true), steps)).toEqual(['first']);
    expect(kept(takeUpBy({ error: UNKNOWN }), steps)).toEqual(['first']);
    expect(kept(takeUpBy({ error: OTHER }), steps)).toEqual(['first', 'nobody knows']);
    expect(kept(takeUpBy({ error: null }), steps)).toEqual(['first', 'nobody knows']);
  });
});

describe('a run that did what nobody knows the outcome of', () => {
  const steps = [
    step('first', { begin_seq: 2, end_seq: 3 }),
    failed('is dealt with', { begin_seq: 4, end_seq: 5 }),
    step('deals with it', { begin_seq: 6, end_seq: 7 }),
    step('under way', { status: 'running', begin_seq: 7, end_seq: null }),
    failed('also beside', { begin_seq: 8, end_seq: 15 }),
    failed('nobody knows first', { begin_seq: 9, end_seq: 16, error: UNKNOWN }),
    failed('fails between', { begin_seq: 10, end_seq: 11 }),
    failed('nobody knows last', { begin_seq: 12, end_seq: 17, error: UNKNOWN }),
    step('beside it', { begin_seq: 13, end_seq: 20 }),
    step('answered', { kind: 'child', begin_seq: 14, end_seq: null }),
    step('after a failure', { begin_seq: 18, end_seq: 19 }),
  ];
  const known = ['first', 'is dealt with', 'deals with it', 'nobody knows first', 'fails between'];
  const stands = [...known, 'nobody knows last', 'beside it', 'answered'];

  it('comes to that again, with what it knew of then, failures too', () => {
    expect(kept(takeUpBy({ error: OTHER }), steps)).toEqual(stands);
    expect(kept(goingOnBy({ status: 'failed', error: OTHER }, false), steps)).toEqual(stands);
  });

  it('has all that it came to, where it did not end by itself', () => {
    const all = steps.map(({ name }) => name).filter((name) => name !== 'under way');
    expect(kept(goingOnBy({ status: 'cancelled', error: null }, false), steps)).toEqual(all);
  });
});

describe('a run that refused an answer', () => {
  it('goes on without that and what it began then, and with what was beside it', () => {
    const steps = [
      step('first', { begin_seq: 1, end_seq: 2 }),
      step('plan kit', { begin_seq: 3, end_seq: 4 }),
      step('plan model 1', { begin_seq: 5, end_seq: 8 }),
      step('planned beside', { begin_seq: 6, end_seq: 9 }),
      step('from it', { begin_seq: 10, end_seq: 11 }),
    ];
    const detail = { refusedStep: 'plan' };
    const error = errorText(new ToolError('NEXUS_MODEL_OUTPUT', 'no plan', { detail }));
    expect(kept(takeUpBy({ error }), steps)).toEqual(['first', 'planned beside']);
    expect(kept(goingOnBy({ status: 'failed', error }, false), steps)).toEqual(['first', 'planned beside']);
    expect(kept(takeUpBy({ error: OTHER }), steps)).toHaveLength(steps.length);
  });
});

describe('an outcome that nobody knows', () => {
  it('is told by the error, of a step that failed', () => {
    expect([UNKNOWN, OTHER, null].map(isUnknown)).toEqual([true, false, false]);
    expect(isOfUnknownOutcome({ status: 'failed', error: UNKNOWN })).toBe(true);
    expect(isOfUnknownOutcome({ status: 'failed', error: OTHER })).toBe(false);
    expect(isOfUnknownOutcome({ status: 'waiting', error: UNKNOWN })).toBe(false);
  });

  it('is yet to be told where the run that goes on has not come to its step', () => {
    const untold = { kind: 'step', status: 'failed', error: UNKNOWN, end_seq: null } as const;
    expect(isUntold(untold)).toBe(true);
    expect(isUntold({ ...untold, end_seq: 4 })).toBe(false);
    expect(isUntold({ ...untold, error: OTHER })).toBe(false);
  });
});

it.each([
  [1, true],
  [0, true],
  [null, false],
  [undefined, false],
])('the end of a run was handed to somebody where it says when: %s', (told_at, told) => {
  expect(isTold(told_at === undefined ? {} : { told_at })).toBe(told);
});
