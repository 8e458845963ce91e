import type { Ballot, Basis, ProgramEnd, VoteCondition, VoteOutput } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { type OldTests, OldTestsJudged } from '../proof/old-tests.ts';
import type { ChangeProof } from '../proof/verdict.ts';
import type { ChangedFile } from '../worktree/changes.ts';
import type { DevPlan } from './plan.ts';

export const qualityGates = ['advisory', 'blocking', 'off'] as const;

export type QualityGate = (typeof qualityGates)[number];

/** A check as it came out before the work, and after it; the rest is the last one's. */
export interface CheckReport extends Omit<ProgramEnd, 'outcome'> {
  readonly name: string;
  readonly before: ProgramEnd['outcome'];
  readonly after?: ProgramEnd['outcome'];
}

/** What a reviewer answers. */
export const Review = z.object({
  passes: z.boolean().describe('Whether the change does what was asked and breaks nothing.'),
  summary: z.string().min(1).max(2_000).describe('Why, in a few sentences.'),
  findings: z
    .array(
      z.object({
        file: z.string().min(1).max(500),
        line: z.int().min(1).optional().describe('Of the new version.'),
        claim: z.string().min(1).max(1_000).describe('What is wrong, and what shows it.'),
      }),
    )
    .max(50)
    .default([]),
});

export type Review = z.output<typeof Review>;

/** Of a change that takes back what tests that were there ask for. */
export const ReviewWithOldTests = Review.extend({ oldTests: OldTestsJudged });

export interface OldTestsReport extends Omit<OldTests, 'output'> {
  /** Whether the reviewer found that they asked for what was to be changed. */
  readonly isAllowed: boolean;
}

export interface QaReport {
  readonly gate: QualityGate;
  /** Absent where it was not run. */
  readonly passed?: boolean;
  readonly rounds: number;
  readonly review?: Review;
  /** Absent where nothing was run on the code as it was. */
  readonly proof?: ChangeProof;
  /** Absent where the tests that were there ask for what they did, and pass as they were. */
  readonly oldTests?: OldTestsReport;
}

export interface TaskReport {
  readonly title: string;
  readonly status: 'committed' | 'no_change' | 'not_begun';
  readonly commit?: string;
  /** What whoever did it says of it, with `(not found)` after what it names and what is not there. */
  readonly output: string;
  /** Absent of a run of the first version, and of what was not begun. */
  readonly missing?: readonly string[];
  readonly basis?: Basis;
  /** How each command ended that was run by whoever did it; absent of earlier versions. What it says of runs is its word alone. */
  readonly ran?: readonly string[];
  /** Why it stopped before it had answered. */
  readonly stopped?: string;
  /** That did it; absent where it was not begun, or where an earlier version kept none. */
  readonly model?: string;
}

/** `done`: on a branch. `blocked`: kept on a branch that is called unfinished. The last two: by the vote. */
export const devStatuses = ['done', 'unchanged', 'blocked', 'rejected', 'no_quorum'] as const;

/** What became of a dev pipeline; plain JSON. */
export interface DevOutput {
  readonly status: (typeof devStatuses)[number];
  readonly plan: DevPlan;
  /** How much was done for it, and why; absent of earlier versions, and where nothing was done. */
  readonly effort?: string;
  readonly tasks: readonly TaskReport[];
  readonly vote: Pick<VoteOutput, 'decision' | 'approval' | 'why' | 'summary'> & {
    /** Ballots that were held; this is the last. */
    readonly rounds: number;
    readonly votes: readonly Ballot[];
    readonly dissent: readonly Ballot[];
    /** Under which the plan was approved, checked against the change. */
    readonly conditions: readonly VoteCondition[];
  };
  readonly qa: QaReport;
  readonly checks: readonly CheckReport[];
  readonly changes: {
    /** Absent where nothing was changed. */
    readonly branch?: string;
    readonly base: string;
    readonly diff: string;
    readonly isCut: boolean;
    readonly files: readonly ChangedFile[];
  };
}
