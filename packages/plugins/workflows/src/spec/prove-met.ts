import { type ProveOutput, prove, type RunContext } from '@nexus/plugin-sdk';
import { wordsBeside } from './prompts.ts';
import type { RequirementReport } from './spec-output.ts';

/**
 * Has a test written and run for each requirement that was judged to be met, one after the other, since they share the
 * machine. One that its proof refutes is not met.
 */
export async function proveMet(
  reports: readonly RequirementReport[],
  run: RunContext,
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
    proved.push(counted({ ...report, proof }));
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

/** What was run and judged to be about this is outweighed by nothing that was not run. */
function counted(report: RequirementReport & { readonly proof: ProveOutput }): RequirementReport {
  const { verdict, why } = report.proof;
  if (verdict === 'shown') return { ...report, basis: 'ran' };
  if (verdict !== 'refuted') return report;
  const reason = `A test that was run shows that it does not hold. ${why} By what was read alone it was judged to be met: ${report.reason}`;
  return { ...report, status: 'not_met', basis: 'ran', reason, restsOn: [] };
}
