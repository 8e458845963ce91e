import type { RunContext } from '@nexus/plugin-sdk';
import { compact } from '@nexus/plugin-sdk/evidence';
import { z } from 'zod';
import { ask } from '../asking/ask.ts';
import type { Kept } from '../proof/kept-run.ts';
import type { Ground } from './evidence.ts';
import { countedVerdict, Verdict } from './judge.ts';
import { BRANCH_JUDGE, branchJudgePrompt } from './prompts.ts';
import type { RequirementReport } from './spec-output.ts';

const BranchVerdict = Verdict.omit({ isMet: true }).extend({
  state: z.enum(['holds', 'broken', 'unknown']).describe('unknown: what you see can’t tell it.'),
});

/** Shorter words stand in any diff. */
const MIN_WORDS_CHARS = 10;

/**
 * Whether a requirement that was met by what was read still is with a change, by a judge who sees what stands on the
 * branch of the places that showed it, and the diff, and opens nothing. That it holds rests on a place that is there,
 * and that it is broken on one, or on words of the diff; else nobody can tell.
 */
export async function judgedOnBranch(
  report: RequirementReport,
  run: RunContext,
  { ground, diff }: { readonly ground: Ground; readonly diff: string },
): Promise<Kept> {
  const { id, output = '' } = report;
  const { value } = await ask(run, `judge ${id} on the branch`, {
    schema: BranchVerdict,
    system: BRANCH_JUDGE,
    prompt: branchJudgePrompt(report, { ground, diff }),
    title: `judges ${id} on the branch`,
  });
  const { state, ...verdict } = value;
  const seen = { output, ground, opened: { places: [] } };
  const counted = countedVerdict({ ...verdict, isMet: state === 'holds' }, seen);
  const why = `By what stands on the branch, without a run: ${counted.reason}`;
  if (state === 'holds') return { state: counted.isMet ? 'holds' : 'unknown', why };
  const isInDiff = (words: string) =>
    compact(words).length >= MIN_WORDS_CHARS && compact(diff).includes(compact(words));
  const isShown = counted.basis === 'read' || verdict.restsOn.some(isInDiff);
  return { state: state === 'broken' && isShown ? 'broken' : 'unknown', why };
}
