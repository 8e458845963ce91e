import { askModel, type Basis, lookUpNames, type NamesLookedUp, type RunContext } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { Ground } from './evidence.ts';
import { compact } from './find-quote.ts';
import { JUDGE, judgePrompt } from './prompts.ts';
import type { Requirement } from './requirements.ts';

export const Verdict = z.object({
  isMet: z.boolean(),
  reason: z.string().min(1).max(2_000).describe('Why, in a few sentences.'),
  restsOn: z
    .array(z.string().min(1).max(1_000))
    .max(20)
    .describe(
      'E1, E2 and so on, places that you opened yourself as path:line, or exact words of the answer.',
    ),
  answersAgainst: z
    .string()
    .max(2_000)
    .default('')
    .describe('Why what speaks against it (A1, A2) does not hold; empty where nothing does.'),
});

export type Verdict = z.output<typeof Verdict>;

/** A verdict by what is there of what it rests on. */
export interface CountedVerdict extends Pick<Verdict, 'isMet' | 'reason' | 'restsOn'> {
  readonly basis: Basis;
}

/** An answer, and what is there of what it names. */
export interface Work {
  readonly output: string;
  readonly ground: Ground;
  /** Words of others that speak against it. */
  readonly objections?: readonly string[];
}

/** Model calls in which it may open what it wants to see. */
const MAX_READING_STEPS = 8;

/** Between texts that are looked up at once. */
const BETWEEN = '\n\u001e\n';

/** Asks somebody who sees the requirement, the answer, the places that hold with what stands around them, and may open more. */
export async function judge(
  run: RunContext,
  requirement: Requirement,
  { name, ...work }: Work & { readonly name: string },
): Promise<CountedVerdict> {
  const { value } = await askModel(run, name, {
    schema: Verdict,
    system: JUDGE,
    prompt: judgePrompt(requirement, work),
    category: 'reasoning',
    maxReadingSteps: MAX_READING_STEPS,
    step: { title: 'judges it' },
  });
  const said = [value.restsOn.join('\n'), value.reason, value.answersAgainst];
  const opened = await lookUpNames(run, `${name} looks up`, said.join(BETWEEN));
  // Of a run on record that looked up what the verdict rests on alone, the words stay as they are.
  const [, reason = value.reason, answersAgainst = value.answersAgainst] = opened.marked.split(BETWEEN);
  return countedVerdict({ ...value, reason, answersAgainst }, { ...work, opened });
}

/** Words shorter than this stand in any answer. */
const MIN_WORDS_CHARS = 10;

/**
 * A verdict rests on what is there: what was named and is not is dropped. Without a place left nothing is met, nor
 * where what speaks against it and is there was not answered. Its reason ends with what was not looked up.
 */
export function countedVerdict(verdict: Verdict, work: LookedUpWork): CountedVerdict {
  const counted = countedBy(verdict, work);
  return { ...counted, reason: [counted.reason, ...(work.ground.leftOut ?? [])].join(' ') };
}

type LookedUpWork = Work & { readonly opened: Pick<NamesLookedUp, 'places'> };

function countedBy(
  { isMet, reason, restsOn, answersAgainst }: Verdict,
  { output, ground: { shown, against }, objections = [], opened }: LookedUpWork,
): CountedVerdict {
  const answer = compact(output);
  const isPlace = (named: string) => {
    const number = /^E(\d{1,3})$/.exec(named.trim())?.[1];
    if (number !== undefined) return shown[Number(number) - 1]?.isVerified === true;
    return opened.places.some(({ file, from }) => named.includes(file) && named.includes(String(from)));
  };
  const isSaid = (named: string) => {
    const words = compact(named);
    return words.length >= MIN_WORDS_CHARS && answer.includes(words);
  };
  const places = restsOn.filter(isPlace);
  const counted = restsOn.filter((named) => isPlace(named) || isSaid(named));
  const basis = places.length > 0 ? 'read' : 'believed';
  if (!isMet) return { isMet, reason, restsOn: counted, basis };
  const not = (why: string) =>
    ({
      isMet: false,
      reason: `${reason} It is not counted as met, since ${why}.`,
      restsOn: counted,
      basis,
    }) as const;
  if (places.length === 0) {
    return not('no place that this rests on could be verified');
  }
  const speaks = against.some(({ isVerified }) => isVerified) || objections.length > 0;
  if (speaks && answersAgainst.trim() === '') return not('what speaks against it was not answered');
  const answered = speaks ? `${reason} Against it: ${answersAgainst}` : reason;
  return { isMet, reason: answered, restsOn: counted, basis };
}
