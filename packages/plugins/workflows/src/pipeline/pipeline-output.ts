import type { VoteCondition } from '@nexus/plugin-sdk';
import type { DevOutput } from '../dev-pipeline/dev-output.ts';
import type { Choice } from './choose-template.ts';

/** What became of one stage; plain JSON. */
export interface StageReport {
  readonly id: string;
  readonly title: string;
  readonly kind: 'expert' | 'vote' | 'dev';
  /** The expert, or the voters. */
  readonly by: string;
  readonly status: 'done' | 'stopped' | 'failed' | 'approved' | 'rejected' | 'no_quorum' | 'left_out';
  readonly output: string;
  readonly model?: string;
  /** Of a vote: under which it approved; checked once the stages are done. */
  readonly conditions?: readonly VoteCondition[];
}

/** By a vote, after which nothing more was begun, or by a stage; the others as a dev pipeline has them. */
export const pipelineStatuses = ['done', 'rejected', 'no_quorum', 'failed', 'blocked', 'unchanged'] as const;

/** What became of a pipeline; plain JSON. */
export interface PipelineOutput extends Choice {
  readonly status: (typeof pipelineStatuses)[number];
  readonly stages: readonly StageReport[];
  /** What was done otherwise than one might expect, and why. */
  readonly notes: readonly string[];
  /** Of a dev pipeline on a branch. */
  readonly dev?: DevOutput;
}
