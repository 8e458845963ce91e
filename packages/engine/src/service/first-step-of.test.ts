import { describe, expect, it } from 'vitest';
import type { StepRow } from '../record/tables.ts';
import { firstStepOf, isCalledUnder } from './first-step-of.ts';

const step = (name: string, also: Partial<StepRow> = {}) =>
  ({ name, title: name, kind: 'step', ...also }) as StepRow;

const steps = [
  step('graph', { kind: 'event' }),
  step('before#1/call', { title: 'Look around' }),
  step('after#1/ask', { title: 'Ask' }),
  step('after#1/call', { title: 'Write' }),
  step('loop#1/call', { title: 'Try' }),
  step('loop#2/call', { title: 'Try' }),
  step('plan kit', { title: 'finds what it may read with' }),
  step('plan model 1', { title: 'Plan it' }),
  step('plan tool 1 call_1', { title: 'read_file' }),
  step('plan model 2', { title: 'Plan it' }),
  step('work', { title: 'the steps of the plan', kind: 'child' }),
  step('each.items#1[0]/call'),
  step('each.items#1[1]/call'),
];
const named = (written: string) => firstStepOf('run_1', steps, { written }).name;

describe('the step that a run is done again from', () => {
  it.each([
    ['after#1/call', 'after#1/call'],
    ['after#1', 'after#1/ask'],
    ['after', 'after#1/ask'],
    ['loop#2', 'loop#2/call'],
    ['each', 'each.items#1[0]/call'],
    ['each#1', 'each.items#1[0]/call'],
    ['Look around', 'before#1/call'],
    [' before ', 'before#1/call'],
    ['plan', 'plan kit'],
    ['finds what it may read with', 'plan kit'],
    ['the steps of the plan', 'work'],
    ['Try (2)', 'loop#2/call'],
    ['Plan it (1)', 'plan model 1'],
  ])('is known by what views show: %s', (written, name) => {
    expect(named(written)).toBe(name);
  });

  it('is chosen by whoever names several, from a list of them', () => {
    expect(() => named('loop')).toThrow('"loop" may be any of loop#1, loop#2 of run run_1. Name one.');
    expect(() => named('Try')).toThrow('loop#1/call, loop#2/call');
    // Also in one conversation, and beside a node that is called so.
    expect(() => named('Plan it')).toThrow('"Plan it" may be any of plan model 1, plan model 2 of run');
    const beside = [...steps, step('last', { title: 'after' })];
    expect(() => firstStepOf('run_1', beside, { written: 'after' })).toThrow(
      'may be any of after#1, last of',
    );
  });

  it('is none where nothing bears the name, and those there are stand in the refusal', () => {
    expect(() => named('aft')).toThrow('Run run_1 has no step "aft". It has: before#1, after#1, loop#1');
    expect(() => named('aft')).toThrow('work (the steps of the plan)');
    expect(() => named('graph#1')).toThrow('has no step');
    for (const beyond of ['Try (3)', 'Try (0)', 'Tried (1)'])
      expect(() => named(beyond)).toThrow('has no step');
  });

  it('is the one that does what is named, where that is a step of a run below', () => {
    const holders = steps.filter(({ name }) => name === 'work');
    expect(() => firstStepOf('run_1', steps, { written: 'Sum up', holders })).toThrow(
      '"Sum up" is no step of run run_1 itself, but of what its step work (the steps of the plan) does, which is done again as a whole. Name that one: work.',
    );
    const several = steps.filter(({ name }) => name === 'work' || name === 'after#1/call');
    expect(() => firstStepOf('run_1', steps, { written: 'Sum up', holders: several })).toThrow(
      '"Sum up" may be any of after#1/call, work of run run_1. Name one.',
    );
  });

  it('is also named as a list of all steps has it: after the step whose run it is of', () => {
    const own = [step('one', { title: 'asks: the model' }), step('two', { title: 'asks: the model' })];
    const under = (name: string, written: string) => {
      const of = steps.find((each) => each.name === name) ?? step(name);
      return isCalledUnder({ step: of, beside: steps, own }, written);
    };
    expect(under('work', 'the steps of the plan: asks: the model')).toBe(true);
    expect(under('work', 'the steps of the plan: asks: the model (2)')).toBe(true);
    expect(under('loop#2/call', 'Try (2): one')).toBe(true);
    expect(under('loop#1/call', 'Try (2): one')).toBe(false);
    expect(under('work', 'the steps of the plan: three')).toBe(false);
  });
});
