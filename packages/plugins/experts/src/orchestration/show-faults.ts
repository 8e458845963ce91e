import {
  type Basis,
  basisOf,
  lookUpNames,
  type ProveOutput,
  prove,
  type RunContext,
} from '@nexus/plugin-sdk';
import { type JudgedFault, judgeFault } from './judge-fault.ts';

/** A fault of the code that the work shows, and what stands behind it; plain JSON. */
export interface ReportedFault {
  /** With `(not found)` after what it names and what is not there. */
  readonly claim: string;
  readonly basis: Basis;
  /** What a test that was run shows of it; absent where it names what is not there. */
  readonly proof?: Pick<ProveOutput, 'verdict' | 'why' | 'diff'>;
  /** Of one against which its proof speaks: what whoever judged it anew said. */
  readonly judged?: JudgedFault;
}

/** As many as anybody waits for a test of. */
export const MAX_FAULTS = 3;

/**
 * Looks each fault up, and has a test written and run that fails because of it, of the first few; one after the other. One against which its proof
 * speaks is judged anew with that.
 */
export async function showFaults(claims: readonly string[], run: RunContext): Promise<ReportedFault[]> {
  const faults: ReportedFault[] = [];
  if (claims.length === 0) return faults;
  const isShown = await run.step('who shows faults', () => run.host.runs.knows(prove), {
    title: 'looks who shows faults by running',
  });
  for (const [index, said] of claims.entries()) {
    const named = await lookUpNames(run, `fault ${index + 1}`, said);
    const fault = { claim: named.marked, basis: basisOf(named) };
    if (!isShown || named.missing.length > 0 || index >= MAX_FAULTS) {
      faults.push(fault);
      continue;
    }
    const title = 'shows a fault by running';
    const shown = await run.child(`proof ${index + 1}`, prove, { kind: 'fails', claim: said }, { title });
    const { verdict, why, diff, against } = shown;
    const told = {
      ...fault,
      ...(verdict === 'shown' && { basis: 'ran' as const }),
      proof: { verdict, why, diff },
    };
    if (against === undefined) {
      faults.push(told);
      continue;
    }
    const judged = await judgeFault(named, run, { name: `fault ${index + 1} by its proof`, against });
    faults.push({ ...told, ...(judged.verdict !== 'real' && { basis: 'believed' }), judged });
  }
  return faults;
}
