import { defineRun, expertTurn, type GraphNode, type GraphVisit, isToolError } from '@nexus/plugin-sdk';
import { failureOfTask } from '../asking/failure-of-task.ts';
import { claimsIn, EVIDENCE_FORM, verifyClaims } from './evidence.ts';
import { judge } from './judge.ts';
import type { Requirement } from './requirements.ts';
import type { RequirementReport } from './spec-output.ts';

export interface SpecWorkInput {
  readonly requirements: readonly Requirement[];
}

/** Requirements as a graph: side by side as far as they do not need each other, each done and then judged. */
export const specWorkRun = defineRun({
  name: 'workflows.spec-work',
  version: 1,
  graph({ requirements }: SpecWorkInput) {
    return {
      nodes: Object.fromEntries(requirements.map((requirement) => [requirement.id, nodeOf(requirement)])),
      result: ({ outputs }) => requirements.map(({ id }) => outputs[id] as RequirementReport),
    };
  },
});

function nodeOf(requirement: Requirement): GraphNode {
  return {
    title: `${requirement.role}: ${requirement.id}`,
    needs: requirement.dependsOn,
    visit: (visit) => meet(requirement, visit),
  };
}

async function meet(requirement: Requirement, { run, state }: GraphVisit): Promise<RequirementReport> {
  const { id, role, text, quote, dependsOn } = requirement;
  const needed = dependsOn.map((need) => state.outputs[need] as RequirementReport);
  const about = { ...requirement, restsOn: [], evidence: [] };
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
          task: `See to it that this requirement is met, and show that it is:\n\n${text}`,
          context: { 'the specification': quote },
          earlier: needed.map((need) => ({ from: `${need.role}: ${need.id}`, text: need.output ?? '' })),
        },
      },
      { title: `${role}: ${id}`, live: run.live },
    )
    .catch((error: unknown) => failureOfTask(error));
  if (isToolError(worked)) return { ...about, status: 'failed', reason: worked.message };
  const { output, stopped } = worked;
  const { projectRoot: root, privatePaths } = run.host;
  const evidence = await run.step('evidence', () => verifyClaims(claimsIn(output), { root, privatePaths }), {
    title: 'looks the evidence up',
  });
  const verdict = await judge(run, requirement, { output, evidence });
  return {
    ...about,
    status: verdict.isMet ? 'met' : 'not_met',
    reason: stopped === undefined ? verdict.reason : `${verdict.reason} (The expert ${stopped}.)`,
    restsOn: verdict.restsOn,
    evidence,
    output,
  };
}
