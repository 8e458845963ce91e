import type { RunContext } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { ask } from '../asking/ask.ts';
import type { Evidence } from './evidence.ts';
import { compact } from './find-quote.ts';
import { JUDGE, judgePrompt } from './prompts.ts';
import type { Requirement } from './requirements.ts';

export const Verdict = z.object({
  isMet: z.boolean(),
  reason: z.string().min(1).max(2_000).describe('Why, in a few sentences.'),
  restsOn: z
    .array(z.string().min(1).max(1_000))
    .max(20)
    .describe('E1, E2 and so on, or exact words of the answer.'),
});

export type Verdict = z.output<typeof Verdict>;

/** Asks somebody who sees the requirement, the evidence that holds and the answer, and nothing else. */
export async function judge(
  run: RunContext,
  requirement: Requirement,
  work: { readonly output: string; readonly evidence: readonly Evidence[] },
): Promise<Verdict> {
  const { value } = await ask(run, 'judge', {
    schema: Verdict,
    system: JUDGE,
    prompt: judgePrompt(requirement, work),
    title: 'judges it',
  });
  return countedVerdict(value, work);
}

/** Words shorter than this stand in any answer. */
const MIN_WORDS_CHARS = 10;

/** A verdict rests on what is there: what was named and is not is dropped, and without any left nothing is met. */
export function countedVerdict(
  { isMet, reason, restsOn }: Verdict,
  { output, evidence }: { readonly output: string; readonly evidence: readonly Evidence[] },
): Verdict {
  const answer = compact(output);
  const counted = restsOn.filter((named) => {
    const number = /^E(\d{1,3})$/.exec(named.trim())?.[1];
    if (number !== undefined) return evidence[Number(number) - 1]?.isVerified === true;
    const words = compact(named);
    return words.length >= MIN_WORDS_CHARS && answer.includes(words);
  });
  if (!isMet || counted.length > 0) return { isMet, reason, restsOn: counted };
  const text = `${reason} It is not counted as met, since nothing that this rests on could be verified.`;
  return { isMet: false, reason: text, restsOn: [] };
}
