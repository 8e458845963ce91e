import { type RunContext, tryModel } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import type { Chunk } from './diff/chunks.ts';
import { type Claim, Claims } from './findings/finding.ts';
import { type Change, chunkPrompt, reviewerPrompt } from './prompts.ts';
import { type ReviewerName, reviewers } from './reviewers.ts';

export interface Reading {
  readonly reviewer: ReviewerName;
  readonly model: string;
  readonly chunk: Chunk;
  /** Counts chunks from 1. */
  readonly at: number;
}

/** What came of it. */
export interface Read extends Reading {
  readonly claims: readonly Claim[];
  /** Why nothing came, where its model failed. */
  readonly reason?: string;
}

export interface ReadingGround {
  readonly change: Change;
  /** Names of the project's own. */
  readonly checks: readonly string[];
  readonly timeoutMs: number;
  /** Whether the project holds the change, so that what the diff does not show can be opened. */
  readonly canRead: boolean;
}

/** Model calls of one reviewer of one piece, the answer included. */
const MAX_READING_STEPS = 6;

/** Has one reviewer read one piece, as one durable step in a fresh context. */
export async function readChunk(
  run: RunContext,
  reading: Reading,
  { change, checks, timeoutMs, canRead }: ReadingGround,
): Promise<Read> {
  const { reviewer, model, chunk, at } = reading;
  const answer = await tryModel(run, `review ${at} ${reviewer}`, {
    schema: Claims,
    system: reviewerPrompt(reviewer),
    prompt: chunkPrompt(change, chunk, { checks, canRead }),
    model,
    category: 'code',
    step: {
      title: `${reviewers[reviewer].title} reads ${counted(chunk.files.length, 'file')}`,
      input: { model },
      timeoutMs,
    },
    ...(canRead ? { maxReadingSteps: MAX_READING_STEPS } : {}),
  });
  if ('failure' in answer) return { ...reading, claims: [], reason: answer.failure.message };
  return { ...reading, model: answer.model, claims: answer.value.findings };
}
