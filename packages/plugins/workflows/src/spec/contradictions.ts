import { askModel, type RunContext } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { WorkflowsState } from '../state.ts';
import { compact } from './find-quote.ts';
import { judgedAgain } from './judged-again.ts';
import { CROSS_CHECKER, crossCheckPrompt } from './prompts.ts';
import type { Contradiction, RequirementReport } from './spec-output.ts';

const Found = z.object({
  contradictions: z
    .array(
      z.object({
        requirement: z.string().min(1).max(48).describe('Id of the one that was judged to be met.'),
        by: z.string().min(1).max(48).describe('Id of the one whose answer speaks against it.'),
        words: z.string().min(10).max(1_000).describe('The words of that answer, exactly.'),
      }),
    )
    .max(20)
    .describe('Empty where there are none, which is the usual case.'),
});

interface Settled {
  readonly reports: readonly RequirementReport[];
  readonly contradictions: readonly Contradiction[];
}

/** Has answers held against each other; a requirement against which another's answer speaks is judged anew with it. */
export async function settleContradictions(
  done: readonly RequirementReport[],
  run: RunContext<WorkflowsState>,
): Promise<Settled> {
  const answered = done.filter(({ output }) => output !== undefined);
  if (answered.length < 2 || !answered.some(({ status }) => status === 'met')) {
    return { reports: done, contradictions: [] };
  }
  const { value } = await askModel(run, 'cross-check', {
    schema: Found,
    system: CROSS_CHECKER,
    prompt: crossCheckPrompt(answered),
    category: 'reasoning',
    step: { title: 'holds the answers against each other' },
  });
  const objections = grouped(heldBy(answered, value));
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

type Objection = z.output<typeof Found>['contradictions'][number];

/** Those whose words stand in the answer that they are said to be of, against one that was judged to be met. */
function heldBy(
  answered: readonly RequirementReport[],
  { contradictions }: z.output<typeof Found>,
): Objection[] {
  const of = (id: string) => answered.find((each) => each.id === id);
  return contradictions.filter(
    ({ requirement, by, words }) =>
      requirement !== by &&
      of(requirement)?.status === 'met' &&
      compact(of(by)?.output ?? '').includes(compact(words)),
  );
}

function grouped(objections: readonly Objection[]): Map<string, Objection[]> {
  const groups = new Map<string, Objection[]>();
  for (const each of objections)
    groups.set(each.requirement, [...(groups.get(each.requirement) ?? []), each]);
  return groups;
}
