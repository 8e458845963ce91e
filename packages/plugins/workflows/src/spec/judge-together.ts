import { askModel, type RunContext } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { Section } from './evidence.ts';
import { type CountedVerdict, judge, MAX_READING_STEPS, Verdict, verdictOn, type Work } from './judge.ts';
import { type Objection, Objections } from './objections.ts';
import { JOINT_JUDGE, jointPrompt } from './prompts.ts';
import type { Requirement } from './requirements.ts';

/** A requirement, and an answer to it that is to be judged. */
export interface Case {
  readonly requirement: Requirement;
  readonly work: Work;
}

const Verdicts = z.object({
  verdicts: z
    .array(z.object({ requirement: z.string().min(1).max(48).describe('Its id.'), ...Verdict.shape }))
    .min(1)
    .max(20)
    .describe('One of each requirement.'),
  contradictions: Objections,
});

interface JudgedTogether {
  /** In the order of the cases. */
  readonly verdicts: readonly CountedVerdict[];
  /** What one of the answers says against a requirement, its own or another. */
  readonly contradictions: readonly Objection[];
}

/**
 * Asks one judge of several requirements, who sees of each what a judge of it alone sees, as far as there is room, and
 * says too where an answer speaks against a requirement, its own or another. One of which it says nothing, or two
 * things, is judged alone; so is a single one, whose judge says where its own answer speaks against it.
 */
export async function judgeTogether(run: RunContext, all: readonly Case[]): Promise<JudgedTogether> {
  const [only] = all;
  if (!only) return { verdicts: [], contradictions: [] };
  if (all.length === 1) {
    const { verdict, contradictions } = await judgeAlone(run, only, 'judge');
    return { verdicts: [verdict], contradictions };
  }
  const cases = all.map((each) => ({ ...each, work: withinRoom(each.work, all.length) }));
  const { value, seen = [] } = await askModel(run, 'judge', {
    schema: Verdicts,
    system: JOINT_JUDGE,
    prompt: jointPrompt(cases),
    category: 'reasoning',
    maxReadingSteps: MAX_READING_STEPS * cases.length,
    step: { title: `judges ${cases.map(({ requirement }) => requirement.id).join(', ')}` },
  });
  // What was shown with one answer was shown to the judge of all.
  const shown = cases.flatMap(({ work }) => work.ground.sections);
  const verdicts: CountedVerdict[] = [];
  const contradictions: Objection[] = [...value.contradictions];
  for (const [at, each] of cases.entries()) {
    const { requirement, work } = each;
    const name = `judge ${requirement.id}`;
    const [said, ...others] = value.verdicts.filter((verdict) => verdict.requirement === requirement.id);
    if (said !== undefined && others.length === 0) {
      verdicts.push(await verdictOn(run, said, { name, work, shown, seen }));
      continue;
    }
    const alone = await judgeAlone(run, all[at] ?? each, name);
    verdicts.push(alone.verdict);
    contradictions.push(...alone.contradictions);
  }
  return { verdicts, contradictions };
}

async function judgeAlone(run: RunContext, { requirement, work }: Case, name: string) {
  const { speaksAgainst, ...verdict } = await judge(run, requirement, { name, ...work });
  const { id } = requirement;
  return { verdict, contradictions: speaksAgainst.map((words) => ({ requirement: id, by: id, words })) };
}

/** For the parts of files that the judge of several is shown, shared by the requirements. */
const SECTIONS_CHARS = 60_000;

/** With the parts of files that fit in its share of the room; how many do not is said as of all that is left out. */
export function withinRoom(work: Work, sharers: number): Work {
  const { sections, leftOut = [] } = work.ground;
  const kept: Section[] = [];
  let left = Math.floor(SECTIONS_CHARS / sharers);
  for (const section of sections) {
    left -= section.text.length;
    if (left < 0) break;
    kept.push(section);
  }
  const missing = sections.length - kept.length;
  if (missing === 0) return work;
  const note = `Of ${sections.length} parts of files around the places, ${missing} were not shown to a judge of several requirements.`;
  return { ...work, ground: { ...work.ground, sections: kept, leftOut: [...leftOut, note] } };
}
