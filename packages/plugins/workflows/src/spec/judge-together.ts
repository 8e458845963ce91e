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
  /** What one of the answers says against another requirement. */
  readonly contradictions: readonly Objection[];
}

/**
 * Asks one judge of several requirements, who sees of each what a judge of it alone sees, as far as there is room, and
 * says too where one answer speaks against another requirement. One of which it says nothing, or two things, is judged
 * alone.
 */
export async function judgeTogether(run: RunContext, all: readonly Case[]): Promise<JudgedTogether> {
  const [only] = all;
  if (!only) return { verdicts: [], contradictions: [] };
  if (all.length === 1) {
    const verdict = await judge(run, only.requirement, { name: 'judge', ...only.work });
    return { verdicts: [verdict], contradictions: [] };
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
  for (const [at, { requirement, work }] of cases.entries()) {
    const name = `judge ${requirement.id}`;
    const [said, ...others] = value.verdicts.filter((each) => each.requirement === requirement.id);
    verdicts.push(
      said === undefined || others.length > 0
        ? await judge(run, requirement, { name, ...(all[at] ?? { work }).work })
        : await verdictOn(run, said, { name, work, shown, seen }),
    );
  }
  return { verdicts, contradictions: value.contradictions };
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
