import {
  askModel,
  type Basis,
  type FileLines,
  hasSeen,
  linesShownBy,
  lookUpNames,
  type NamesLookedUp,
  namesIn,
  type RunContext,
  withoutMarks,
} from '@nexus/plugin-sdk';
import { compact, markClaimsToHaveRun } from '@nexus/plugin-sdk/evidence';
import { z } from 'zod';
import { saysNotMet } from './claims.ts';
import type { Ground, Section } from './evidence.ts';
import { JUDGE, judgePrompt } from './prompts.ts';
import type { Requirement } from './requirements.ts';

export const Verdict = z.object({
  isMet: z.boolean(),
  reason: z.string().min(1).max(2_000).describe('Why, in a few sentences.'),
  restsOn: z
    .array(z.string().min(1).max(1_000))
    .max(20)
    .describe(
      'E1, A1 and so on, places that you opened yourself as path:line, or exact words of the answer.',
    ),
  answersAgainst: z
    .string()
    .max(2_000)
    .default('')
    .describe(
      'Why what speaks against it (A1, A2) does not hold, with the place that shows that: E1, or path:line that you opened. Empty where nothing speaks against it.',
    ),
});

export type Verdict = z.output<typeof Verdict>;

/** By a judge of one requirement, who holds the answer against it too. */
const LoneVerdict = Verdict.extend({
  speaksAgainst: z
    .array(z.string().min(10).max(1_000))
    .max(5)
    .default([])
    .describe('Words of the answer, exactly, by which it is not met; mostly none.'),
});

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
export const MAX_READING_STEPS = 8;

/** Between texts that are looked up at once. */
const BETWEEN = '\n\u001e\n';

/**
 * Asks somebody who sees the requirement, the answer, the places that hold with what stands around them, and may open
 * more; who says too which words of the answer speak against the requirement.
 */
export async function judge(
  run: RunContext,
  requirement: Requirement,
  { name, ...work }: Work & { readonly name: string },
): Promise<CountedVerdict & { readonly speaksAgainst: readonly string[] }> {
  const { value, seen = [] } = await askModel(run, name, {
    schema: LoneVerdict,
    system: JUDGE,
    prompt: judgePrompt(requirement, work),
    category: 'reasoning',
    maxReadingSteps: MAX_READING_STEPS,
    step: { title: 'judges it' },
  });
  const { speaksAgainst, ...verdict } = value;
  const counted = await verdictOn(run, verdict, { name, work, shown: work.ground.sections, seen });
  return { ...counted, speaksAgainst };
}

interface JudgedWork {
  readonly name: string;
  readonly work: Work;
  /** The parts of files that the judge was shown, and what it opened itself. */
  readonly shown: readonly Section[];
  readonly seen: readonly FileLines[];
}

/** Looks up what a verdict names, and counts it. */
export async function verdictOn(
  run: RunContext,
  verdict: Verdict,
  { name, work, ...saw }: JudgedWork,
): Promise<CountedVerdict> {
  const said = [verdict.restsOn.join('\n'), verdict.reason, verdict.answersAgainst];
  const opened = await lookUpNames(run, `${name} looks up`, said.join(BETWEEN));
  const [, reason = verdict.reason, answersAgainst = verdict.answersAgainst] = opened.marked.split(BETWEEN);
  // Judges read, and run nothing; what they were given may tell of a run.
  const given = [work.output, ...saw.shown.map(({ text }) => text)].join('\n');
  const mark = (text: string) => markClaimsToHaveRun(text, [], given);
  const told = { ...verdict, reason: mark(reason), answersAgainst: mark(answersAgainst) };
  return countedVerdict(told, { ...work, ...saw, opened });
}

/** Words shorter than this stand in any answer. */
const MIN_WORDS_CHARS = 10;

/**
 * A verdict rests on what is there and what its judge saw: a place that is not there, or that was neither shown to the
 * judge nor opened by it, is dropped. Without a place left nothing is met, nor where what speaks against it and is there
 * was not answered by another place. Its reason ends with what was not looked up.
 */
export function countedVerdict(verdict: Verdict, work: LookedUpWork): CountedVerdict {
  const counted = countedBy(verdict, work);
  return { ...counted, reason: [counted.reason, ...(work.ground.leftOut ?? [])].join(' ') };
}

type LookedUpWork = Work & {
  /** What the verdict names. */
  readonly opened: Pick<NamesLookedUp, 'places'>;
  /** Parts of files that the judge was shown; by default those around the places. */
  readonly shown?: readonly Section[];
  /** What the judge opened. */
  readonly seen?: readonly FileLines[];
};

function countedBy(
  { isMet, reason, restsOn, answersAgainst }: Verdict,
  { output, ground, objections = [], opened, shown: sections = ground.sections, seen = [] }: LookedUpWork,
): CountedVerdict {
  const { shown, against } = ground;
  const answer = compact(withoutMarks(output));
  const lines = [...sections.flatMap(({ file, text }) => linesShownBy(`${file}\n${text}`)), ...seen];
  const looked = opened.places.filter((place) => hasSeen(lines, place));
  const lookedAt = (name: string, line: number | undefined) =>
    looked.find(({ file, from }) => from === line && isSameFile(file, name));
  const labelled = { E: shown, A: against };
  const isShown = (mark: 'E' | 'A', number: string) =>
    labelled[mark][Number(number) - 1]?.isVerified === true;
  const filesNamed = (text: string) => namesIn(text).filter(({ kind }) => kind === 'file');
  const isPlace = (named: string) => {
    const [, mark, number] = /^([EA])(\d{1,3})$/.exec(named.trim()) ?? [];
    if (number !== undefined) return isShown(mark === 'A' ? 'A' : 'E', number);
    return filesNamed(named).some(({ name, line }) => lookedAt(name, line) !== undefined);
  };
  const speaking = against.filter(({ isVerified }) => isVerified);
  const answers = (text: string) =>
    [...text.matchAll(/\bE(\d{1,3})\b/g)].some(([, number = '']) => isShown('E', number)) ||
    filesNamed(text).some(({ name, line }) => {
      const place = lookedAt(name, line);
      return place && !speaking.some((each) => each.line === place.from && isSameFile(place.file, each.file));
    });
  const isSaid = (named: string) => {
    const words = compact(withoutMarks(named));
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
    return not('it rests on no place that is there and that its judge saw');
  }
  const speaks = speaking.length > 0 || objections.length > 0 || saysNotMet(output);
  if (!speaks) return { isMet, reason, restsOn: counted, basis };
  if (!answers(answersAgainst)) {
    return not(
      'what speaks against it was not answered by another place that is there and that its judge saw',
    );
  }
  return { isMet, reason: `${reason} Against it: ${answersAgainst}`, restsOn: counted, basis };
}

function isSameFile(file: string, named: string): boolean {
  return `/${file}`.endsWith(`/${named.replace(/^\.\//, '')}`);
}
