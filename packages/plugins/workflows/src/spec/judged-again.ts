import type { RunContext } from '@nexus/plugin-sdk';
import type { WorkflowsState } from '../state.ts';
import { groundOf } from './ground-of.ts';
import { judge } from './judge.ts';
import type { RequirementReport } from './spec-output.ts';

/** The report by a fresh judge, who sees what speaks against it beside what the first one saw. */
export async function judgedAgain(
  report: RequirementReport,
  run: RunContext<WorkflowsState>,
  { name, objections }: { readonly name: string; readonly objections: readonly string[] },
): Promise<RequirementReport> {
  const { output = '' } = report;
  const ground = await groundOf(run, run.state.room, output, `evidence ${name}`);
  const work = { name: `judge ${name}`, output, ground, objections };
  const { isMet, reason, restsOn, basis } = await judge(run, report, work);
  return { ...report, status: isMet ? 'met' : 'not_met', reason, restsOn, basis };
}
