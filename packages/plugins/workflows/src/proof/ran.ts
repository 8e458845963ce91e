import type { ProgramEnd, ProveInput, ProveOutput } from '@nexus/plugin-sdk';
import { cutEndCounted } from '@nexus/primitives';
import type { CheckReport } from '../dev-pipeline/dev-output.ts';
import type { Place } from '../worktree/place.ts';
import type { Sight } from './judge-sight.ts';
import { loadingFault } from './kind-of-red.ts';
import type { OldTests } from './old-tests.ts';
import type { PartOnBase } from './prove-change.ts';

/** What a proof works with. */
export interface Ready {
  readonly place: Place;
  /** Of a change that it is about: the commit without it. */
  readonly without?: string;
  /** What whoever writes a test begins with. */
  readonly sight?: Sight | undefined;
  /** The checks that pass as things are, at least one. */
  readonly green: readonly CheckReport[];
}

/** What was run, and how it came out; `shown` and `refuted` until somebody who did not write it has judged it. */
export interface Ran extends Pick<ProveOutput, 'verdict' | 'why' | 'tests' | 'output'> {
  /** What was changed beside tests, by path. */
  readonly others: readonly string[];
  /** Whether its test came out the other way than the claim has it, which refutes nothing by itself. */
  readonly isOther?: boolean;
  /** Whether it is tests that were there which show it. */
  readonly byOld?: boolean;
  /** Of a mend that changes tests that were there so that they ask for less. */
  readonly taken?: OldTests;
}

/** Says how a run of what was written came out. */
export const saying =
  (about: Pick<Ran, 'tests' | 'others'>) =>
  (verdict: Ran['verdict'], why: string, output = ''): Ran => ({ verdict, why, output, ...about });

/** One way of running what was written. */
export interface Way {
  readonly input: ProveInput;
  readonly ready: Ready;
  readonly round: number;
  /** Of all that was written. */
  readonly diff: string;
  /** The tests alone, on what is there. */
  readonly alone: PartOnBase;
}

export type Ended = { readonly name: string } & Pick<ProgramEnd, 'outcome' | 'output'>;

export const isRed = ({ outcome }: Pick<ProgramEnd, 'outcome'>) => outcome === 'failed';

export const listed = (ends: readonly { readonly name: string }[]) =>
  ends.map(({ name }) => `\`${name}\``).join(', ');

export function asEnded(checks: readonly CheckReport[]): Ended[] {
  return checks.flatMap(({ name, after: outcome, output }) =>
    outcome === undefined ? [] : [{ name, outcome, output }],
  );
}

/** Those of the red ones that reached what they test, or the line by which none did. */
export function reachedIn(
  red: readonly Ended[],
  {
    alone: { tests },
    ready: { green },
  }: { readonly alone: Pick<PartOnBase, 'tests'>; readonly ready: Pick<Ready, 'green'> },
): { readonly reached: readonly Ended[]; readonly fault?: string } {
  const faults = red.map(({ name, output }) => {
    const before = green.find((each) => each.name === name)?.output;
    return loadingFault(output, { tests, ...(before !== undefined && { green: before }) });
  });
  const reached = red.filter((_, at) => faults[at] === undefined);
  const fault = faults.find((each) => each !== undefined);
  return { reached, ...(reached.length === 0 && fault !== undefined && { fault }) };
}

const MAX_FAULT_CHARS = 200;

/** To whoever wrote a test that was not reached. */
export const notReached = (where: string, fault: string) =>
  `${where} it is red only because it could not be loaded or lacks what it names itself, which says nothing of what the code does: ${cutEndCounted(fault, MAX_FAULT_CHARS)}`;
