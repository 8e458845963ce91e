import { type ProveOutput, prove, type RunContext } from '@nexus/plugin-sdk';
import { cutMiddle } from '@nexus/primitives';
import type { DevInput } from '../dev-pipeline/dev-input.ts';
import { devPipelineRun } from '../dev-pipeline/dev-run.ts';
import type { WorkflowsState } from '../state.ts';
import { keptOnBranch } from './kept-on-branch.ts';
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
 * Has what is not met done as a dev pipeline does, all of it as one change that leaves met what is. Nothing is met on its
 * branch because somebody says so: what was shown before is run there again, what was only read before is read there
 * again, and each other requirement has a test written and run there; one that is not shown by it stays as it was judged.
 */
export async function bringAbout(
  requirements: readonly RequirementReport[],
  work: SpecWork,
  run: RunContext<WorkflowsState>,
): Promise<BroughtAbout> {
  const lacking = requirements.filter(({ status }) => status !== 'met');
  if (lacking.length === 0) return { requirements };
  run.progress(`does what is not met: ${lacking.map(({ id }) => id).join(', ')}`);
  const met = requirements.filter(({ status }) => status === 'met');
  const asked: DevInput = { ...work, task: taskOf(lacking, met), research: researchOf(lacking) };
  const title = 'does what is not met';
  const { status, changes, checks, qa, vote } = await run.child('change', devPipelineRun, asked, { title });
  const change = { status, changes, checks, qa, vote, isDirty: work.repository.isDirty };
  const { branch } = changes;
  if (status !== 'done' || branch === undefined) return { requirements, change };
  const brought = { branch, since: changes.base };
  const kept = await keptOnBranch(requirements, { brought, diff: changes.diff }, run);
  const shown = new Map<string, RequirementReport>();
  const now = (id: string) => shown.get(id) ?? kept.find((each) => each.id === id);
  for (const { id } of inOrder(lacking, requirements)) {
    const report = now(id);
    if (!report) continue;
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
  return { requirements: kept.map((each) => shown.get(each.id) ?? each), change };
}

/** Those of all that are in question, what others need first. */
function inOrder(some: readonly RequirementReport[], all: readonly RequirementReport[]) {
  const ids = levelsOf(all).flat();
  return some.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
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

/** All of it reaches whoever plans it and whoever reviews it. */
function taskOf(lacking: readonly RequirementReport[], met: readonly RequirementReport[]): string {
  const parts = lacking.map((each) => [saidOf(each), `As it was judged: ${each.reason}`].join('\n\n'));
  const head =
    'Bring about what a specification requires and the project does not do, each with a test that fails without it:';
  const kept = [
    'These hold already, and must hold with the change too, in each case that they cover:',
    ...met.map(saidOf),
  ];
  return cutMiddle([head, ...parts, ...(met.length > 0 ? kept : [])].join('\n\n'), MAX_TEXT_CHARS);
}

function saidOf({ id, text, quote }: RequirementReport): string {
  const words = Object.values(wordsBeside({ text, quote }));
  return [`## ${id}`, text, ...words.map((each) => `The specification says: ${each}`)].join('\n\n');
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
