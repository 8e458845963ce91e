import { isToolError, type ModelUsage, modelCaller, type RunContext } from '@nexus/plugin-sdk';
import { isOfModel } from '../ballots/model-failure.ts';
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

export type Read = Reading &
  (
    | { readonly claims: readonly Claim[]; readonly usage: ModelUsage; readonly reason?: undefined }
    | { readonly claims: readonly []; readonly usage?: undefined; readonly reason: string }
  );

/** Has one reviewer read one piece, as one durable step in a fresh context. */
export async function readChunk(
  run: RunContext,
  reading: Reading,
  { change, checks, timeoutMs }: { change: Change; checks: readonly string[]; timeoutMs: number },
): Promise<Read> {
  const { reviewer, model, chunk, at } = reading;
  try {
    const answer = await run.step(
      `review ${at} ${reviewer}`,
      ({ signal, ledger, idempotencyKey }) =>
        run.host.models.object(
          {
            schema: Claims,
            system: reviewerPrompt(reviewer),
            prompt: chunkPrompt(change, chunk, checks),
            model,
            category: 'code',
            ledger,
            idempotencyKey,
          },
          { ...modelCaller(run), signal },
        ),
      {
        title: `${reviewers[reviewer].title} reads ${chunk.files.length} files`,
        input: { model },
        timeoutMs,
      },
    );
    return { ...reading, model: answer.model, claims: answer.value.findings, usage: answer.usage };
  } catch (error) {
    if (!isToolError(error) || !isOfModel(error.code)) throw error;
    return { ...reading, claims: [], reason: error.message };
  }
}
