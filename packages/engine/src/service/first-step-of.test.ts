import { describe, expect, it } from 'vitest';
import type { StepRow } from '../record/tables.ts';
import { firstStepOf } from './first-step-of.ts';

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
    ['Plan it', 'plan model 1'],
    ['the steps of the plan', 'work'],
  ])('is known by what views show: %s', (written, name) => {
    expect(named(written)).toBe(name);
  });

  it('is chosen by whoever names several, from a list of them', () => {
    expect(() => named('loop')).toThrow('"loop" may be any of loop#1, loop#2 of run run_1. Name one.');
    expect(() => named('Try')).toThrow('loop#1/call, loop#2/call');
  });

  it('is none where nothing bears the name, and those there are stand in the refusal', () => {
    expect(() => named('aft')).toThrow('Run run_1 has no step "aft". It has: before#1, after#1, loop#1');
    expect(() => named('aft')).toThrow('work (the steps of the plan)');
    expect(() => named('graph#1')).toThrow('has no step');
  });

  it('is the one that does what is named, where that is a step of a run below', () => {
    const holders = steps.filter(({ name }) => name === 'work');
    expect(() => firstStepOf('run_1', steps, { written: 'Sum up', holders })).toThrow(
      '"Sum up" is no step of run run_1 itself, but of what its step work (the steps of the plan) does, which is done again as a whole. Name that one: work.',
    );
  });
});
