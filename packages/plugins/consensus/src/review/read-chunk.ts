import { isToolError, type ModelUsage, modelCaller, type RunContext } from '@nexus/plugin-sdk';
import { isOfModel } from '../ballots/model-failure.ts';
import type { Chunk } from './diff/chunks.ts';
import type { DiffFile } from './diff/parse-diff.ts';
import { anchor } from './findings/anchor.ts';
import { type Claim, Claims, type Dropped, type Finding } from './findings/finding.ts';
import { type Change, chunkPrompt, reviewerPrompt } from './prompts.ts';
import { type ReviewerName, reviewers } from './reviewers.ts';

export interface Reading {
  readonly reviewer: ReviewerName;
  readonly model: string;
  readonly chunk: Chunk;
  /** Counts chunks from 1. */
  readonly at: number;
}

/** What came of it: claims that have their place in the diff, and those that have none. */
export interface Read extends Reading {
  readonly found: readonly Finding[];
  readonly dropped: readonly Dropped[];
  readonly usage?: ModelUsage;
  /** Why nothing came, where its model failed. */
  readonly reason?: string;
}

export interface ReadingGround {
  readonly change: Change;
  readonly files: readonly DiffFile[];
  /** Names of the project's own. */
  readonly checks: readonly string[];
  readonly timeoutMs: number;
}

/** Has one reviewer read one piece, as one durable step in a fresh context. */
export async function readChunk(
  run: RunContext,
  reading: Reading,
  { change, files, checks, timeoutMs }: ReadingGround,
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
    const { found, dropped } = placed(answer.value.findings, files, { reviewer, model: answer.model });
    return { ...reading, model: answer.model, found, dropped, usage: answer.usage };
  } catch (error) {
    if (!isToolError(error) || !isOfModel(error.code)) throw error;
    return { ...reading, found: [], dropped: [], reason: error.message };
  }
}

function placed(claims: readonly Claim[], files: readonly DiffFile[], by: Finding['foundBy'][number]) {
  const found: Finding[] = [];
  const dropped: Dropped[] = [];
  for (const claim of claims) {
    const place = anchor(claim, files);
    if (typeof place !== 'string') found.push({ ...claim, ...place, foundBy: [by] });
    else dropped.push({ file: claim.file, line: claim.line, claim: claim.claim, reason: place });
  }
  return { found, dropped };
}
