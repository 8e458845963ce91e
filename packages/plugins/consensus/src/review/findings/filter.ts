import { type FileLines, type RunContext, tryModel } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { FILTER, type FilterGround, filterPrompt } from '../prompts.ts';
import type { Finding } from './finding.ts';

const Verdict = z.object({
  reasoning: z
    .string()
    .min(1)
    .max(2_000)
    .describe('What in the code decides it, in at most three sentences.'),
  verdict: z.enum(['real', 'not_real', 'cannot_tell']),
});

/** Where something speaks against the claim. */
const Contested = Verdict.extend({
  answersAgainst: z
    .string()
    .max(2_000)
    .default('')
    .describe(
      'Of a claim that is real, why what speaks against it does not hold, with the place beside the claim’s own that shows that, as path:line.',
    ),
});

export interface Filtered {
  readonly verdict: z.output<typeof Verdict>['verdict'] | 'unasked';
  readonly reasoning: string;
  readonly model?: string;
  /** Of a claim against which something speaks: why that does not hold. */
  readonly answersAgainst?: string;
  /** What its judge opened. */
  readonly seen?: readonly FileLines[];
}

/** Has one finding judged in a fresh context, by a model that did not find it where there is one. */
export async function filterFinding(
  run: RunContext,
  finding: Finding,
  {
    name,
    models,
    timeoutMs,
    ...ground
  }: FilterGround & {
    readonly name: string;
    readonly models: readonly string[];
    readonly timeoutMs: number;
  },
): Promise<Filtered> {
  const finders = new Set(finding.foundBy.map(({ model }) => model));
  const model = models.find((each) => !finders.has(each)) ?? models[0] ?? '';
  const filtered = await tryModel(run, name, {
    schema: ground.against === undefined ? Verdict : Contested,
    system: FILTER,
    prompt: filterPrompt(finding, ground),
    model,
    category: 'code',
    maxOutputTokens: 2_000,
    step: { title: `checks a finding in ${finding.file}`, timeoutMs },
    keep: ({ value, model: by, usage, seen }) => ({ ...value, model: by, usage, ...(seen && { seen }) }),
    ...(ground.openQuestion === undefined ? {} : { maxReadingSteps: MAX_READING_STEPS }),
  });
  if ('verdict' in filtered) return filtered;
  return { verdict: 'unasked', reasoning: filtered.failure.message };
}

/** Of a second look. */
const MAX_READING_STEPS = 10;
