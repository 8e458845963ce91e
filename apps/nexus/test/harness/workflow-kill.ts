import { expect, vi } from 'vitest';
import { PATIENCE } from './expert-kill.ts';
import { type AskedOnce, type ExpertTeam, expertTeam } from './expert-team.ts';
import { finishedKeys, type ReadRows, rowsOf, runOf } from './run-record.ts';
import { shareProject } from './shared-project.ts';

/** Two experts side by side after a tool, and one that needs both. */
const WORKFLOW = `
name: two-and-one
description: Finds callers and threats, and writes of both.
inputs: [{ name: what, required: true, description: What. }]
steps:
  - { id: look, uses: 'tool:search_codebase', with: { query: '\${{ inputs.what }}' } }
  - id: callers
    uses: expert:code
    with: { task: 'FIND-CALLERS of it.', context: { files: '\${{ pluck(steps.look.output.hits, ''file'') }}' } }
  - id: threats
    uses: expert:security
    with: { task: 'FIND-THREATS to it.', context: { files: '\${{ steps.look.output.total }}' } }
  - id: report
    uses: expert:documentation
    with:
      task: WRITE-REPORT of both.
      context: { callers: '\${{ steps.callers.output.text }}', threats: '\${{ steps.threats.output.text }}' }
outputs: { report: '\${{ steps.report.output.text }}' }
`;

/** Writes until a judge is content. */
const GRAPH = `
name: until-good
description: Writes until it is good.
state: { text: none, wrong: '' }
nodes:
  - id: write
    uses: expert:documentation
    with: { task: 'WRITE-REPORT again.', context: { before: '\${{ state.text }}', wrong: '\${{ state.wrong }}' } }
    set: { text: '\${{ output.text }}' }
  - id: judge
    uses: expert:qa
    with: { task: 'JUDGE-IT well.', context: { text: '\${{ state.text }}' } }
    set: { wrong: '\${{ startsWith(output.text, ''GOOD'') ? '''' : output.text }}' }
edges:
  - { from: write, to: judge }
  - { from: judge, to: write, if: "\${{ state.wrong != '' }}", atMost: 3 }
`;

/** A step whose tool starts a run of its own. */
const NESTED = `
name: nested
description: Has another workflow do it.
nodes:
  - { id: inner, uses: 'tool:run_workflow', with: { template: two-and-one, inputs: { what: login } } }
outputs: { report: '\${{ nodes.inner.output.output.report }}' }
`;

export const WORKFLOW_FILES = {
  '.nexus/workflows/two-and-one.yaml': WORKFLOW,
  '.nexus/workflows/until-good.yaml': GRAPH,
  '.nexus/workflows/nested.yaml': NESTED,
  'src/login.ts': 'export function login() {}\n',
};

/** What is run, and the requests in which it is killed, counted from 1. */
export const SUBJECTS = {
  'a workflow': {
    tool: 'run_workflow',
    args: { template: 'two-and-one', inputs: { what: 'login' } },
    kind: 'workflows.workflow',
    moments: [1, 2, 3, 4],
    answer: { status: 'completed', output: { report: 'FIRST-DRAFT' } },
  },
  'a graph': {
    tool: 'run_graph_workflow',
    args: { workflow: 'until-good' },
    kind: 'workflows.graph',
    moments: [1, 2, 3, 4],
    answer: { status: 'completed', finalState: { text: 'SECOND-DRAFT', wrong: '' } },
  },
  'a workflow in a graph': {
    tool: 'run_graph_workflow',
    args: { workflow: 'nested' },
    kind: 'workflows.graph',
    moments: [2, 3],
    answer: { status: 'completed', output: { report: 'FIRST-DRAFT' } },
  },
} as const;

export type Subject = keyof typeof SUBJECTS;

/** Models that do the work of both, the judge included. */
export function workflowTeam(holds: (request: AskedOnce) => boolean = () => false): Promise<ExpertTeam> {
  return expertTeam((request) => {
    if (holds(request)) return { hangs: true };
    if (!request.text.includes('JUDGE-IT')) return undefined;
    return { text: request.text.includes('SECOND-DRAFT') ? 'GOOD' : 'WRONG: NAME-THE-FILES' };
  });
}

interface Kill {
  readonly subject: Subject;
  /** The server dies while this request is open, counted from 1. */
  readonly at: number;
  /** Whether the process that goes on was there before, as a bridge. */
  readonly isBridge: boolean;
  /** The shared database that its runs are on; the embedded one by default. */
  readonly shared?: { readonly databaseUrl: string; readonly read: ReadRows } | undefined;
}

/** Kills the server that runs a workflow, and holds that the next one ends it and repeats nothing finished. */
export async function killWorkflow({ subject, at, isBridge, shared }: Kill): Promise<void> {
  const { tool, args, kind, answer } = SUBJECTS[subject];
  let isDead = false;
  await using team = await workflowTeam(({ count }) => !isDead && count >= at);
  await using project = await shareProject({
    files: WORKFLOW_FILES,
    env: { ...team.env, ...(shared ? { NEXUS_DATABASE_URL: shared.databaseUrl } : {}) },
  });
  const first = await project.host();
  const bridge = isBridge ? await project.host() : undefined;
  first.session.call(tool, { ...args }).catch(() => {});
  await vi.waitFor(() => expect(team.asked.length).toBeGreaterThanOrEqual(at), PATIENCE);
  const read = shared?.read ?? rowsOf(project);
  // What was answered before is on record before what is asked next.
  await settled(read, at - 1);
  first.child.kill('SIGKILL');
  isDead = true;
  await first.exit();
  const finished = await finishedKeys(read);
  const before = team.asked.length;
  const run = await runOf(read, kind);
  const next = bridge ?? (await project.host());
  const { result } = await next.session.call('resume_run', { runId: run?.id });
  expect(result.structuredContent, JSON.stringify(result)).toMatchObject({ runId: run?.id, ...answer });
  const again = team.asked.slice(before).map(({ key }) => key);
  expect(again.length).toBeGreaterThan(0);
  expect(again.filter((key) => finished.has(key))).toEqual([]);
  expect(new Set(again).size).toBe(again.length);
  // The formula of the keys still is the one that this compares by.
  const all = await finishedKeys(read);
  expect(team.asked.filter(({ key }) => !all.has(key))).toEqual([]);
  expect(team.requests.map(({ fault }) => fault)).toEqual(team.requests.map(() => undefined));
  expect(await read(`select status from runs_runs where kind = '${kind}'`)).toEqual([
    { status: 'completed' },
  ]);
}

async function settled(read: ReadRows, calls: number): Promise<void> {
  const model = `select name from runs_steps where status = 'completed' and name like 'model%'`;
  await vi.waitFor(async () => expect((await read(model)).length).toBeGreaterThanOrEqual(calls), PATIENCE);
}
