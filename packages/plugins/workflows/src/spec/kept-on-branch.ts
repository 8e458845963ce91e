import type { ProveInput, RunContext } from '@nexus/plugin-sdk';
import { type Kept, keptRun } from '../proof/kept-run.ts';
import type { WorkflowsState } from '../state.ts';
import { branchGroundRun } from './branch-ground-run.ts';
import { judgedOnBranch } from './judged-on-branch.ts';
import type { RequirementReport } from './spec-output.ts';

interface Branch {
  readonly brought: NonNullable<ProveInput['brought']>;
  readonly diff: string;
}

/**
 * What was met before a change, as it stands on its branch: what was shown by running is run there again, by the same
 * tests. What was only read before, and what its test tells nothing of there, is judged by what stands there now.
 */
export async function keptOnBranch(
  requirements: readonly RequirementReport[],
  branch: Branch,
  run: RunContext<WorkflowsState>,
): Promise<readonly RequirementReport[]> {
  const met = requirements.filter(({ status }) => status === 'met');
  const ran = await ranOnBranch(met, branch, run);
  const read = met.filter(({ id }) => (ran.get(id)?.state ?? 'unknown') === 'unknown');
  const judged = await readOnBranch(read, branch, run);
  return requirements.map((report) => {
    const [byRun, byReading] = [ran.get(report.id), judged.get(report.id)];
    if (byRun && byRun.state !== 'unknown') return onBranch(report, byRun, { branch, basis: 'ran' });
    if (!byReading) return report;
    const why = [byRun?.why, byReading.why].filter(Boolean).join(' ');
    return onBranch(report, { ...byReading, why }, { branch, basis: 'read' });
  });
}

async function ranOnBranch(
  met: readonly RequirementReport[],
  { brought }: Branch,
  run: RunContext<WorkflowsState>,
): Promise<ReadonlyMap<string, Kept>> {
  const proofs = met.flatMap(({ id, proof }) =>
    proof?.verdict === 'shown' ? [{ id, tests: proof.tests, diff: proof.diff }] : [],
  );
  const title = 'runs on the branch what was shown before';
  const kept = proofs.length === 0 ? [] : await run.child('kept', keptRun, { brought, proofs }, { title });
  return new Map(kept.map(({ id, ...each }) => [id, each]));
}

async function readOnBranch(
  read: readonly RequirementReport[],
  { brought, diff }: Branch,
  run: RunContext<WorkflowsState>,
): Promise<ReadonlyMap<string, Kept>> {
  if (read.length === 0) return new Map();
  const answers = read.map(({ id, output = '' }) => ({ id, output }));
  const title = 'looks up on the branch what was read before';
  const found = await run.child('read', branchGroundRun, { brought, answers }, { title });
  const judged = await run.parallel(
    read.map((report) => async (): Promise<Kept> => {
      if (typeof found === 'string') return { state: 'unknown', why: `Nobody could look: ${found}` };
      const ground = found.find(({ id }) => id === report.id)?.ground ?? {
        shown: [],
        against: [],
        sections: [],
      };
      return judgedOnBranch(report, run, { ground, diff });
    }),
  );
  return new Map(read.map(({ id }, at) => [id, judged[at] as Kept])); // one each
}

function onBranch(
  report: RequirementReport,
  { state, why }: Kept,
  { branch: { brought }, basis }: { readonly branch: Branch; readonly basis: 'ran' | 'read' },
): RequirementReport {
  const now = { ...report, onBranch: { state, why } } as const;
  if (state !== 'broken') return now;
  const reason = `It was met, and the change on the branch ${brought.branch} breaks it. ${why} Before it: ${report.reason}`;
  return { ...now, status: 'not_met', basis, reason };
}
