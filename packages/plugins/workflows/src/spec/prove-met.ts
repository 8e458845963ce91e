import { type ProveOutput, prove, type RunContext } from '@nexus/plugin-sdk';
import type { WorkflowsState } from '../state.ts';
import { judgedAgain } from './judged-again.ts';
import { wordsBeside } from './prompts.ts';
import type { RequirementReport } from './spec-output.ts';

/**
 * Has a test written and run for each requirement that was judged to be met, one after the other, since they share the
 * machine. One against which its proof speaks is judged anew with that.
 */
export async function proveMet(
  reports: readonly RequirementReport[],
  run: RunContext<WorkflowsState>,
): Promise<readonly RequirementReport[]> {
  const proved: RequirementReport[] = [];
  let lacking: ProveOutput | undefined;
  for (const report of reports) {
    if (report.status !== 'met') {
      proved.push(report);
      continue;
    }
    const proof = lacking ?? (await proofOf(report, run));
    // What is missing for one is missing for all.
    if (proof.verdict === 'not_run') lacking = proof;
    proved.push(await counted({ ...report, proof }, run));
  }
  return proved;
}

function proofOf({ id, text, quote, evidence }: RequirementReport, run: RunContext): Promise<ProveOutput> {
  const places = evidence.filter(({ isVerified }) => isVerified);
  const context = {
    ...wordsBeside({ text, quote }),
    'where it is said to be shown': places
      .map(({ file, line, quote: said }) => `${file}:${line}: ${said}`)
      .join('\n'),
  };
  return run.child(
    `proof ${id}`,
    prove,
    { kind: 'holds', claim: text, context },
    { title: `shows ${id} by running` },
  );
}

async function counted(
  report: RequirementReport & { readonly proof: ProveOutput },
  run: RunContext<WorkflowsState>,
): Promise<RequirementReport> {
  const { verdict, against } = report.proof;
  if (verdict === 'shown') return { ...report, basis: 'ran' };
  if (against === undefined) return report;
  const again = await judgedAgain(report, run, {
    name: `${report.id} by its test`,
    objections: [against],
  });
  return again.status === 'met' || verdict !== 'refuted' ? again : { ...again, basis: 'ran' };
}
