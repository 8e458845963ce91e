import {
  type Assignment,
  defineRun,
  expertTurn,
  type GraphNode,
  type GraphState,
  type GraphVisit,
  isToolError,
  type RunContext,
} from '@nexus/plugin-sdk';
import { failureOfTask } from '../asking/failure-of-task.ts';
import type { Room } from '../reading/room.ts';
import type { WorkflowsState } from '../state.ts';
import { EVIDENCE_FORM } from './claims.ts';
import { groundOf } from './ground-of.ts';
import { type Case, judgeTogether } from './judge-together.ts';
import type { Objection } from './objections.ts';
import { levelsOf } from './order.ts';
import { wordsBeside } from './prompts.ts';
import type { Requirement } from './requirements.ts';
import type { RequirementReport } from './spec-output.ts';

export interface SpecWorkInput {
  readonly requirements: readonly Requirement[];
}

/** What became of the requirements; plain JSON. */
export interface SpecWorkOutput {
  readonly reports: readonly RequirementReport[];
  /** What judges saw an answer say against a requirement, its own or another. */
  readonly contradictions: readonly Objection[];
  /** Whether all answers had one judge, who held them against each other. */
  readonly isSeenByOne: boolean;
}

/** Requirements that one judge sees: of more, each would get less of a look. */
const JUDGED_TOGETHER = 4;

/**
 * Requirements as a graph: each is worked on as soon as what it needs is judged, and those that are worked on side by
 * side are judged together, a few by one judge.
 */
export const specWorkRun = defineRun({
  name: 'workflows.spec-work',
  version: 4,
  graph({ requirements }: SpecWorkInput, { state: { room } }: Pick<RunContext<WorkflowsState>, 'state'>) {
    const judges = judgesOf(requirements);
    const works = requirements.map((requirement) => [requirement.id, workNode(requirement, judges)] as const);
    return {
      nodes: Object.fromEntries([...works, ...judges.map((each) => [each.node, judgeNode(each, room)])]),
      result({ outputs }: GraphState): SpecWorkOutput {
        const judged = judges.map(({ node }) => outputs[node] as Judged);
        const reports = judged.flatMap((each) => each.reports);
        return {
          reports: requirements.map(({ id }) => reportOf(id, reports)),
          contradictions: judged.flatMap(({ contradictions }) => contradictions),
          isSeenByOne: judged.filter((each) => each.reports.some(isAnswered)).length <= 1,
        };
      },
    };
  },
});

interface Judge {
  /** Its node: no id of a requirement has a space. */
  readonly node: string;
  readonly judged: readonly Requirement[];
}

/** What a judge's node comes to. */
interface Judged {
  readonly reports: readonly RequirementReport[];
  readonly contradictions: readonly Objection[];
}

/** What a requirement's node comes to: an answer that is to be judged, or why there is none. */
type Worked =
  | { readonly output: string; readonly stopped?: string }
  | Pick<RequirementReport, 'status' | 'reason'>;

function judgesOf(requirements: readonly Requirement[]): readonly Judge[] {
  const groups = levelsOf(requirements).flatMap((ids) => {
    const level = requirements.filter(({ id }) => ids.includes(id));
    const count = Math.ceil(level.length / JUDGED_TOGETHER);
    return Array.from({ length: count }, (_, at) =>
      level.slice(at * JUDGED_TOGETHER, (at + 1) * JUDGED_TOGETHER),
    );
  });
  return groups.map((judged, at) => ({ node: `judge ${at + 1}`, judged }));
}

const isAnswered = ({ output }: RequirementReport) => output !== undefined;

function reportOf(id: string, reports: readonly RequirementReport[]): RequirementReport {
  const report = reports.find((each) => each.id === id);
  if (!report) throw new Error(`no judge of ${id}`);
  return report;
}

function workNode(requirement: Requirement, judges: readonly Judge[]): GraphNode {
  const { id, role, dependsOn } = requirement;
  const before = judges.filter(({ judged }) => judged.some((each) => dependsOn.includes(each.id)));
  return {
    title: `${role}: ${id}`,
    needs: before.map(({ node }) => node),
    visit({ run, state: { outputs } }) {
      const reports = before.flatMap(({ node }) => (outputs[node] as Judged).reports);
      return workOn(
        requirement,
        dependsOn.map((need) => reportOf(need, reports)),
        run,
      );
    },
  };
}

async function workOn(
  requirement: Requirement,
  needed: readonly RequirementReport[],
  run: RunContext,
): Promise<Worked> {
  const { id, role } = requirement;
  const missing = needed.filter(({ status }) => status !== 'met').map((need) => need.id);
  if (missing.length > 0) {
    return { status: 'blocked', reason: `Not begun, since it needs ${missing.join(', ')}.` };
  }
  const assignment = assignmentOf(requirement, needed);
  const worked = await run
    .child('work', expertTurn, { role, instructions: EVIDENCE_FORM, assignment }, { title: `${role}: ${id}` })
    .catch((error: unknown) => failureOfTask(error));
  if (isToolError(worked)) return { status: 'failed', reason: worked.message };
  const { output, stopped } = worked;
  return { output, ...(stopped === undefined ? {} : { stopped }) };
}

/** What the specification says is a fact: it may be somebody else's words. */
export function assignmentOf({ text, quote }: Requirement, needed: readonly RequirementReport[]): Assignment {
  return {
    task: 'Find out whether the requirement is met by the project as it is. Look for what shows it, and as hard for what speaks against it: a case that it covers and the code gets wrong, a place that does otherwise.',
    whereItWrites: 'Where it is not met and your tools can bring it about, do so first, and then show it.',
    context: { 'the requirement': text, ...wordsBeside({ text, quote }) },
    earlier: needed.map((need) => ({ from: `${need.role}: ${need.id}`, text: need.output ?? '' })),
  };
}

function judgeNode({ judged }: Judge, room: Room): GraphNode {
  const ids = judged.map(({ id }) => id);
  return {
    title: `judge of ${ids.join(', ')}`,
    needs: ids,
    visit: (visit) => judgeWorks(judged, visit, room),
  };
}

async function judgeWorks(
  judged: readonly Requirement[],
  { run, state: { outputs } }: GraphVisit,
  room: Room,
): Promise<Judged> {
  const cases: Case[] = [];
  for (const requirement of judged) {
    const worked = outputs[requirement.id] as Worked;
    if (!('output' in worked)) continue;
    const { output } = worked;
    const ground = await groundOf(run, room, output, `evidence ${requirement.id}`);
    cases.push({ requirement, work: { output, ground } });
  }
  const { verdicts, contradictions } = await judgeTogether(run, cases);
  const reports = judged.map((requirement): RequirementReport => {
    const about = { ...requirement, basis: 'believed', restsOn: [], evidence: [], against: [] } as const;
    const worked = outputs[requirement.id] as Worked;
    if (!('output' in worked)) return { ...about, ...worked };
    const at = cases.findIndex((each) => each.requirement === requirement);
    const [verdict, ground] = [verdicts[at], cases[at]?.work.ground];
    if (!verdict || !ground) throw new Error(`no verdict on ${requirement.id}`);
    const { output, stopped } = worked;
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
  });
  return { reports, contradictions };
}
