import { type ProveOutput, prove, type RunContext } from '@nexus/plugin-sdk';
import { cutMiddle } from '@nexus/primitives';
import type { DevInput } from '../dev-pipeline/dev-input.ts';
import { devPipelineRun } from '../dev-pipeline/dev-run.ts';
import type { WorkflowsState } from '../state.ts';
import { levelsOf } from './order.ts';
import { wordsBeside } from './prompts.ts';
import type { RequirementReport, SpecChange } from './spec-output.ts';

/** Where the work is done, and how; plain JSON. */
export type SpecWork = Omit<DevInput, 'task' | 'research' | 'planFile'>;

interface BroughtAbout {
  readonly requirements: readonly RequirementReport[];
  /** Absent where nothing was to be done. */
  readonly change?: SpecChange;
}

/**
 * Has what is not met done as a dev pipeline does, all of it as one change. Of that, nothing is met because somebody
 * says so: each requirement has a test written and run on the branch, and one that is not shown by it stays as it was judged.
 */
export async function bringAbout(
  requirements: readonly RequirementReport[],
  work: SpecWork,
  run: RunContext<WorkflowsState>,
): Promise<BroughtAbout> {
  const lacking = requirements.filter(({ status }) => status !== 'met');
  if (lacking.length === 0) return { requirements };
  run.progress(`does what is not met: ${lacking.map(({ id }) => id).join(', ')}`);
  const asked: DevInput = { ...work, task: taskOf(lacking), research: researchOf(lacking) };
  const title = 'does what is not met';
  const { status, changes, checks, qa, vote } = await run.child('change', devPipelineRun, asked, { title });
  const change = { status, changes, checks, qa, vote, isDirty: work.repository.isDirty };
  const { branch } = changes;
  if (status !== 'done' || branch === undefined) return { requirements, change };
  const brought = { branch, since: changes.base };
  const shown = new Map<string, RequirementReport>();
  const now = (id: string) => shown.get(id) ?? requirements.find((each) => each.id === id);
  for (const id of levelsOf(requirements).flat()) {
    const report = now(id);
    if (!report || report.status === 'met') continue;
    const missing = report.dependsOn.filter((need) => now(need)?.status !== 'met');
    if (missing.length > 0) continue;
    const proof = await run.child(
      `proof ${id} on the branch`,
      prove,
      { kind: 'holds', claim: report.text, context: contextOf(report, changes.diff), brought },
      { title: `shows ${id} by running on the branch` },
    );
    shown.set(id, counted(report, proof, branch));
  }
  return { requirements: requirements.map((each) => shown.get(each.id) ?? each), change };
}

function counted(report: RequirementReport, proof: ProveOutput, branch: string): RequirementReport {
  const { verdict, why } = proof;
  if (verdict === 'shown') {
    const reason = `It was not met, and was brought about on the branch ${branch}. ${why}`;
    return { ...report, status: 'met', basis: 'ran', reason, restsOn: [], proof };
  }
  const reason = `${report.reason} What was done for it on the branch ${branch} is not shown by running. ${why}`;
  return { ...report, status: report.status === 'blocked' ? 'not_met' : report.status, reason, proof };
}

const MAX_TEXT_CHARS = 30_000;

function taskOf(lacking: readonly RequirementReport[]): string {
  const parts = lacking.map(({ id, text, quote, reason }) =>
    [
      `## ${id}`,
      text,
      ...Object.values(wordsBeside({ text, quote })).map((words) => `The specification says: ${words}`),
      `As it was judged: ${reason}`,
    ].join('\n\n'),
  );
  const head =
    'Bring about what a specification requires and the project does not do, each with a test that fails without it:';
  return cutMiddle([head, ...parts].join('\n\n'), MAX_TEXT_CHARS);
}

/** What those who looked found, so that nobody has to look again. */
function researchOf(lacking: readonly RequirementReport[]): string {
  const told = lacking.flatMap(({ id, output }) => (output === undefined ? [] : [`## ${id}\n\n${output}`]));
  return told.length > 0 ? told.join('\n\n') : 'Nobody has looked yet: what these need was not met.';
}

const MAX_DIFF_CHARS = 15_000;

function contextOf(report: RequirementReport, diff: string): Readonly<Record<string, string>> {
  return { ...wordsBeside(report), 'what was done for it and others': cutMiddle(diff, MAX_DIFF_CHARS) };
}
