import { isToolError, type ModelUsage, modelCaller, type RunContext } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { isOfModel } from '../../ballots/model-failure.ts';
import { shownLine } from '../diff/chunks.ts';
import type { DiffFile } from '../diff/parse-diff.ts';
import { FILTER, filterPrompt } from '../prompts.ts';
import type { Finding } from './finding.ts';

const Verdict = z.object({
  reasoning: z
    .string()
    .min(1)
    .max(2_000)
    .describe('What in the code decides it, in at most three sentences.'),
  verdict: z.enum(['real', 'not_real', 'cannot_tell']),
});

export interface Filtered {
  readonly verdict: z.output<typeof Verdict>['verdict'] | 'unasked';
  readonly reasoning: string;
  readonly model?: string;
  readonly usage?: ModelUsage;
}

/** Lines on each side of a finding that whoever checks it sees. */
const AROUND_LINES = 60;

/** Has one finding judged in a fresh context, by a model that did not find it where there is one. */
export async function filterFinding(
  run: RunContext,
  finding: Finding,
  {
    name,
    file,
    models,
    timeoutMs,
  }: { name: string; file: DiffFile; models: readonly string[]; timeoutMs: number },
): Promise<Filtered> {
  const finders = new Set(finding.foundBy.map(({ model }) => model));
  const model = models.find((each) => !finders.has(each)) ?? models[0] ?? '';
  try {
    return await run.step(
      name,
      async ({ signal, ledger, idempotencyKey }) => {
        const answer = await run.host.models.object(
          {
            schema: Verdict,
            system: FILTER,
            prompt: filterPrompt(finding, codeAround(finding, file)),
            model,
            category: 'code',
            maxOutputTokens: 2_000,
            ledger,
            idempotencyKey,
          },
          { ...modelCaller(run), signal },
        );
        return { ...answer.value, model: answer.model, usage: answer.usage };
      },
      { title: `checks a finding in ${finding.file}`, timeoutMs },
    );
  } catch (error) {
    if (!isToolError(error) || !isOfModel(error.code)) throw error;
    return { verdict: 'unasked', reasoning: error.message };
  }
}

function codeAround({ side, line, endLine }: Finding, { hunks }: DiffFile): string {
  const numberOf = (each: DiffFile['hunks'][number][number]) => (side === 'new' ? each.line : each.oldLine);
  const hunk = hunks.find((lines) => lines.some((each) => numberOf(each) === line)) ?? [];
  const first = hunk.findIndex((each) => numberOf(each) === line);
  const last = hunk.findIndex((each) => numberOf(each) === endLine);
  return hunk
    .slice(Math.max(0, first - AROUND_LINES), last + AROUND_LINES + 1)
    .map(shownLine)
    .join('\n');
}
