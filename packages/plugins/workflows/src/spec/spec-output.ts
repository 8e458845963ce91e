import type { Basis, ProveOutput } from '@nexus/plugin-sdk';
import type { DevOutput } from '../dev-pipeline/dev-output.ts';
import type { Kept } from '../proof/kept-run.ts';
import type { Evidence } from './evidence.ts';
import type { Edge } from './order.ts';
import type { Requirement, SoundRequirements } from './requirements.ts';

/** What became of one requirement; plain JSON. */
export interface RequirementReport extends Requirement {
  /** `blocked`: what it needs is not met. `failed`: nobody could do it. */
  readonly status: 'met' | 'not_met' | 'failed' | 'blocked';
  readonly reason: string;
  readonly basis: Basis;
  /** What the verdict rests on and was found there: `E1` for the first evidence, or words of the output. */
  readonly restsOn: readonly string[];
  readonly evidence: readonly Evidence[];
  /** What speaks against it, looked up alike. */
  readonly against: readonly Evidence[];
  /** Of one that was judged to be met: what a test shows of it that was run. */
  readonly proof?: ProveOutput;
  /** Of one that was met before a change: whether it is with it too, by a run or by what is read there. One that is broken there is not met. */
  readonly onBranch?: Kept;
  /** What the expert answered. */
  readonly output?: string;
}

/** What became of a specification; plain JSON. */
export interface SpecOutput extends Pick<SoundRequirements, 'leftOut' | 'uncovered'> {
  readonly requirements: readonly RequirementReport[];
  /** What was done for what was not met; absent where that was not asked for, and where all was met. */
  readonly change?: SpecChange;
  /** What one answer says against another, and what became of it. */
  readonly contradictions: readonly Contradiction[];
  readonly dag: {
    /** What is done side by side, step after step. */
    readonly levels: readonly (readonly string[])[];
    /** Needs that were not honoured, since they closed a circle. */
    readonly broken: readonly Edge[];
  };
}

/** The work of a dev pipeline on a specification; plain JSON. */
export interface SpecChange extends Pick<DevOutput, 'status' | 'changes' | 'checks' | 'qa' | 'vote'> {
  /** Whether the user had changes that the work knew nothing of. */
  readonly isDirty: boolean;
}

/** Words of the answer to one requirement that speak against one which was judged to be met, itself or another. */
export interface Contradiction {
  readonly requirement: string;
  readonly by: string;
  readonly words: string;
  /** What the judge said, who was then shown them. */
  readonly settled: string;
}
