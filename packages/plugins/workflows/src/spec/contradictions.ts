import { askModel, type RunContext, withoutMarks } from '@nexus/plugin-sdk';
import { compact } from '@nexus/plugin-sdk/evidence';
import { z } from 'zod';
import type { WorkflowsState } from '../state.ts';
import { judgedAgain } from './judged-again.ts';
import { type Objection, Objections } from './objections.ts';
import { CROSS_CHECKER, crossCheckPrompt } from './prompts.ts';
import type { Contradiction, RequirementReport } from './spec-output.ts';
import type { SpecWorkOutput } from './work-run.ts';

const Found = z.object({ contradictions: Objections });

interface Settled {
  readonly reports: readonly RequirementReport[];
  readonly contradictions: readonly Contradiction[];
}

/**
 * Has answers held against each other, where no judge saw them all; a requirement against which an answer speaks, its own
 * or another's, is judged anew with it.
 */
export async function settleContradictions(
  { reports: done, contradictions: said, isSeenByOne }: SpecWorkOutput,
  run: RunContext<WorkflowsState>,
): Promise<Settled> {
  const answered = done.filter(({ output }) => output !== undefined);
  if (!answered.some(({ status }) => status === 'met')) {
    return { reports: done, contradictions: [] };
  }
  const found = isSeenByOne ? [] : await crossCheck(answered, run);
  const objections = grouped(heldBy(answered, [...said, ...found]));
  const contradictions: Contradiction[] = [];
  const reports: RequirementReport[] = [];
  for (const report of done) {
    const against = objections.get(report.id) ?? [];
    if (against.length === 0) {
      reports.push(report);
      continue;
    }
    const again = await judgedAgain(report, run, {
      name: report.id,
      objections: against.map(({ by, words }) => `${by}: ${words}`),
    });
    reports.push(again);
    const settled = again.status === 'met' ? 'It is met all the same.' : 'It is not met.';
    contradictions.push(...against.map((each) => ({ ...each, settled: `${settled} ${again.reason}` })));
  }
  return { reports, contradictions };
}

async function crossCheck(
  answered: readonly RequirementReport[],
  run: RunContext,
): Promise<readonly Objection[]> {
  const { value } = await askModel(run, 'cross-check', {
    schema: Found,
    system: CROSS_CHECKER,
    prompt: crossCheckPrompt(answered),
    category: 'reasoning',
    step: { title: 'holds the answers against each other' },
  });
  return value.contradictions;
}

/**
 * Those whose words stand in the answer that they are said to be of, against one that was judged to be met: another
 * one, or the one that is answered.
 */
function heldBy(answered: readonly RequirementReport[], objections: readonly Objection[]): Objection[] {
  const of = (id: string) => answered.find((each) => each.id === id);
  return objections.filter(
    ({ requirement, by, words }) =>
      of(requirement)?.status === 'met' &&
      compact(withoutMarks(of(by)?.output ?? '')).includes(compact(withoutMarks(words))),
  );
}

function grouped(objections: readonly Objection[]): Map<string, Objection[]> {
  const groups = new Map<string, Objection[]>();
  for (const each of objections) {
    const others = groups.get(each.requirement) ?? [];
    // A judge and whoever held all answers against each other may have seen the same.
    const isKnown = others.some(({ by, words }) => by === each.by && compact(words) === compact(each.words));
    if (!isKnown) groups.set(each.requirement, [...others, each]);
  }
  return groups;
}
