import {
  defineRun,
  expertTurn,
  type GraphNode,
  type GraphVisit,
  isToolError,
  type RunContext,
} from '@nexus/plugin-sdk';
import { failureOfTask } from '../asking/failure-of-task.ts';
import type { Room } from '../reading/room.ts';
import type { WorkflowsState } from '../state.ts';
import { EVIDENCE_FORM } from './claims.ts';
import type { Ground } from './evidence.ts';
import { judge } from './judge.ts';
import type { Requirement } from './requirements.ts';
import type { RequirementReport } from './spec-output.ts';

export interface SpecWorkInput {
  readonly requirements: readonly Requirement[];
}

/** Requirements as a graph: side by side as far as they do not need each other, each done and then judged. */
export const specWorkRun = defineRun({
  name: 'workflows.spec-work',
  version: 2,
  graph({ requirements }: SpecWorkInput, { state }: Pick<RunContext<WorkflowsState>, 'state'>) {
    return {
      nodes: Object.fromEntries(
        requirements.map((requirement) => [requirement.id, nodeOf(requirement, state.room)]),
      ),
      result: ({ outputs }) => requirements.map(({ id }) => outputs[id] as RequirementReport),
    };
  },
});

function nodeOf(requirement: Requirement, room: Room): GraphNode {
  return {
    title: `${requirement.role}: ${requirement.id}`,
    needs: requirement.dependsOn,
    visit: (visit) => meet(requirement, visit, room),
  };
}

async function meet(
  requirement: Requirement,
  { run, state }: GraphVisit,
  room: Room,
): Promise<RequirementReport> {
  const { id, role, text, quote, dependsOn } = requirement;
  const needed = dependsOn.map((need) => state.outputs[need] as RequirementReport);
  const about = { ...requirement, basis: 'believed', restsOn: [], evidence: [], against: [] } as const;
  const missing = needed.filter(({ status }) => status !== 'met').map((need) => need.id);
  if (missing.length > 0) {
    return { ...about, status: 'blocked', reason: `Not begun, since it needs ${missing.join(', ')}.` };
  }
  const worked = await run
    .child(
      'work',
      expertTurn,
      {
        role,
        instructions: EVIDENCE_FORM,
        assignment: {
          task: `Find out whether this requirement is met by the project as it is. Look for what shows it, and as hard for what speaks against it: a case that it covers and the code gets wrong, a place that does otherwise.\n\n${text}`,
          whereItWrites:
            'Where it is not met and your tools can bring it about, do so first, and then show it.',
          context: { 'the specification': quote },
          earlier: needed.map((need) => ({ from: `${need.role}: ${need.id}`, text: need.output ?? '' })),
        },
      },
      { title: `${role}: ${id}` },
    )
    .catch((error: unknown) => failureOfTask(error));
  if (isToolError(worked)) return { ...about, status: 'failed', reason: worked.message };
  const { output, stopped } = worked;
  const ground = await groundOf(run, room, output);
  const verdict = await judge(run, requirement, { name: 'judge', output, ground });
  return {
    ...about,
    status: verdict.isMet ? 'met' : 'not_met',
    reason: stopped === undefined ? verdict.reason : `${verdict.reason} (The expert ${stopped}.)`,
    basis: verdict.basis,
    restsOn: verdict.restsOn,
    evidence: ground.shown,
    against: ground.against,
    output,
  };
}

/** What an answer names, looked up in the project. */
export function groundOf(run: RunContext, room: Room, output: string, name = 'evidence'): Promise<Ground> {
  const { projectRoot: root, privatePaths } = run.host;
  return run.step(name, ({ signal }) => room.visit({ signal })('groundIn', { output, root, privatePaths }), {
    title: 'looks the evidence up',
  });
}
