import { type Answer, ToolError } from '@nexus/plugin-sdk';
import { namesOfQuestion } from './question-names.ts';
import { quoted } from './quoted.ts';
import type { RunTransaction } from './run-database.ts';
import type { QuestionRow, StepRow } from './tables.ts';
import { fromStored } from './values.ts';

/** What is looked at of a run, to know what it may come to ask. */
export interface MayAsk {
  readonly runId: string;
  readonly rows: readonly Pick<QuestionRow, 'name' | 'status'>[];
  readonly name: string;
}

/** @throws {ToolError} NEXUS_INVALID_ARGUMENTS for a name by which the run, as far as its record tells, asks nothing */
export async function assertMayAsk(trx: RunTransaction, asked: MayAsk, answer: Answer): Promise<void> {
  const { runId, rows, name } = asked;
  const { steps, nodes, why } = await lookAt(trx, asked, answer);
  if (why === undefined) return;
  const isLeft = ({ name: node }: NodeShape) =>
    ![...steps, ...rows].some((each) => namesOfQuestion(each.name).includes(node));
  const open = rows.filter(({ status }) => status === 'open').map((row) => row.name);
  const asking = (nodes ?? []).filter((node) => node.asks?.length !== 0 && isLeft(node));
  const names = [...new Set([...open, ...asking.map((node) => logical(node.name))])];
  const way =
    names.length === 0
      ? `\`nexus runs ${runId}\` shows what it does and asks.`
      : `What it asks, or may come to ask, goes by ${quoted(names)}.`;
  const text = `Run ${runId} asks nothing by the name "${name}": ${why}. ${way}`;
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', text, { detail: { runId, question: name, names } });
}

/** Whether the record says that a run may come to ask by a name; of one that is no graph it says nothing. */
export async function saysThatItMayAsk(
  trx: RunTransaction,
  asked: Omit<MayAsk, 'rows'>,
  answer: Answer,
): Promise<boolean> {
  const { nodes, why } = await lookAt(trx, asked, answer);
  return nodes !== undefined && why === undefined;
}

async function lookAt(trx: RunTransaction, { runId, name }: Omit<MayAsk, 'rows'>, { action }: Answer) {
  const steps = await trx
    .selectFrom('runs_steps')
    .select(['name', 'ended_at'])
    .where('run_id', '=', runId)
    .where('kind', 'in', WORK)
    .execute();
  const nodes = await nodesOf(trx, runId);
  const called = steps.filter((step) => namesOfQuestion(step.name).includes(name));
  // One that is under way may come to ask for a yes to a call, which only a no can be said to ahead.
  const mayStillAsk = action === 'decline' && called.some(({ ended_at: endedAt }) => endedAt === null);
  const why =
    name.trim() === ''
      ? 'that is no name'
      : called.length > 0 && !mayStillAsk
        ? NO_QUESTION
        : nodes && faultOfName(name, nodes, action);
  return { steps, nodes, why };
}

/** Steps that do something, and are no questions by that. */
const WORK = ['step', 'child', 'sleep'] as const satisfies readonly StepRow['kind'][];

const NO_QUESTION = 'that is a step of it which is no question';

/** A node as a graph said at its beginning; what a version before did not say may be anything. */
interface NodeShape {
  readonly name: string;
  /** How often it is visited at most. */
  readonly visits?: number;
  readonly hasItems?: boolean;
  readonly asks?: readonly string[];
}

/** What does the items of a workflow's node goes by the node's name. */
function logical(node: string): string {
  return node.replace(/\.items$/, '');
}

/** A node, its visit, the item that this is for, and what lies under it. */
const OF_A_NODE = /^([^/#]+)(?:#([1-9]\d*)(?:\[(0|[1-9]\d*)\])?(?:\/(.+))?)?$/s;

/** Why no question of a graph goes by a name. */
function faultOfName(
  name: string,
  nodes: readonly NodeShape[],
  action: Answer['action'],
): string | undefined {
  const [, node = name, visit, item, under] = OF_A_NODE.exec(name) ?? [];
  const called = nodes.filter((each) => each.name === node || logical(each.name) === node);
  if (called.length === 0) return 'it has no step of that name';
  const most = Math.max(...called.map(({ visits = Number.POSITIVE_INFINITY }) => visits));
  if (visit !== undefined && Number(visit) > most)
    return `"${node}" is done ${most === 1 ? 'once' : `${most} times`} at most`;
  if (item !== undefined && called.every(({ hasItems }) => hasItems === false))
    return `"${node}" is not done for each of several items`;
  // A call of any step may need a yes, to which a no is said ahead.
  if (action === 'decline') return undefined;
  const asks = called.flatMap((each): readonly (string | undefined)[] => each.asks ?? [undefined]);
  const isAsked = asks.some((each) => each === undefined || under === undefined || each === under);
  return isAsked ? undefined : NO_QUESTION;
}

/** The nodes of a graph, as it said at its beginning; undefined for a run that is none, or has not begun. */
async function nodesOf(trx: RunTransaction, runId: string): Promise<readonly NodeShape[] | undefined> {
  const graph = await trx
    .selectFrom('runs_steps')
    .select('output')
    .where('run_id', '=', runId)
    .where('name', '=', 'graph')
    .where('kind', '=', 'event')
    .executeTakeFirst();
  if (!graph) return undefined;
  const { nodes = [] } = (await fromStored(trx, runId, graph.output)) as {
    readonly nodes?: readonly NodeShape[];
  };
  return nodes;
}
