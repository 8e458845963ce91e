import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { git, pipelineTeam, SPEC, sumProject, usersFiles } from '../harness/pipeline-team.ts';
import { holdAt, type KilledRun, killInRun } from '../harness/run-kill.ts';
import type { SharedProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const PATIENCE = { timeout: 40_000, interval: 20 };
const task = 'Fix the bug: let the sum of 2 and 3 be 5.';

const worktrees = ({ dataDir }: SharedProject) => join(dataDir, 'workflows', 'worktrees');

/** One of each kind of work: a plan, a ballot beside others, a turn that has written a file, a judgement. */
const DEV_MOMENTS = [
  ['planner', 1],
  ['voter', 2],
  ['implementer', 2],
  ['reviewer', 1],
] as const;

/** The one that every check kills it in. */
const [, , KILLED_IN_EVERY_CHECK] = DEV_MOMENTS;

/** Whom a server is killed in the middle of asking, and for which time. */
type Moment = readonly [asked: string, count: number];

type Kill = (
  run: Pick<KilledRun, 'tool' | 'args' | 'kind'>,
  onDeath?: () => Promise<void>,
) => Promise<Awaited<ReturnType<typeof killInRun>>['answer']>;

/** A project whose team does not answer at that moment for as long as the first server lives. */
async function heldAt(
  [asked, count]: Moment,
  test: (project: SharedProject, kill: Kill) => Promise<void>,
): Promise<void> {
  const { holds, isReached, onDeath: letGo } = holdAt(asked, count);
  await using team = await pipelineTeam((request) => (holds(request) ? { hangs: true } : undefined));
  await using project = await sumProject(team);
  await test(project, async (run, onDeath) => {
    const killed = await killInRun({
      project,
      team,
      ...run,
      isReached,
      async onDeath() {
        letGo();
        await onDeath?.();
      },
    });
    return killed.answer;
  });
}

const devPipeline = {
  tool: 'run_dev_pipeline',
  args: { task, qualityGate: 'blocking' },
  kind: 'workflows.dev-pipeline',
};

for (const moment of DEV_MOMENTS) {
  const goesOn = () =>
    heldAt(moment, async (project, kill) => {
      const before = await usersFiles(project);
      const answer = await kill(devPipeline);
      expect(answer).toMatchObject({
        status: 'done',
        checks: [{ name: 'test', before: 'failed', after: 'passed' }],
        changes: { files: [{ path: 'sum.mjs', added: 1, removed: 1 }] },
      });
      expect(git(project, 'show', `${answer.changes.branch}:sum.mjs`)).toContain('a + b');
      expect(git(project, 'log', '--format=%s', `main..${answer.changes.branch}`)).toBe('Let sum add\n');
      expect(await usersFiles(project)).toEqual(before);
      expect(readdirSync(worktrees(project))).toEqual([]);
    });
  if (moment === KILLED_IN_EVERY_CHECK) {
    verifiesApp('pipelines.kill', `run_dev_pipeline goes on after ${moment.join(' ')} was asked`, goesOn);
  } else {
    slowlyVerifiesApp(
      'pipelines.kill',
      `run_dev_pipeline goes on after ${moment.join(' ')} was asked`,
      goesOn,
    );
  }
}

slowlyVerifiesApp(
  'pipelines.kill',
  'run_dev_pipeline makes a lost worktree again from what is on its branch',
  () =>
    heldAt(['implementer', 2], async (project, kill) => {
      const answer = await kill(devPipeline, () => rm(worktrees(project), { recursive: true }));
      // In the first round: what was written before was not lost, and then mended.
      expect(answer).toMatchObject({ status: 'done', qa: { rounds: 1 }, checks: [{ after: 'passed' }] });
    }),
);

/** The first time it never ends, and its child would outlive it; it marks where the test can see it. */
const ENDLESS_ONCE = [
  "const { existsSync, renameSync, writeFileSync } = require('node:fs');",
  'const mark = process.env.MARK_FILE;',
  'if (!existsSync(mark)) {',
  "  writeFileSync(mark + '.new', String(process.pid));",
  "  renameSync(mark + '.new', mark);",
  '  setInterval(() => {}, 1000);',
  '}',
].join('\n');

slowlyVerifiesApp(
  'pipelines.kill',
  'a command of a killed server ends with it, and is run again at the next',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nexus-mark-'));
    const mark = join(folder, 'mark');
    await using team = await pipelineTeam();
    const commands = { slow: [process.execPath, '-e', ENDLESS_ONCE] };
    await using project = await sumProject(team, {
      config: { workflows: { commands, commandEnvironment: ['MARK_FILE'] } },
      env: { MARK_FILE: mark },
    });
    let pid = 0;
    const { answer } = await killInRun({
      project,
      team,
      tool: 'run_dev_pipeline',
      args: { task, qualityGate: 'advisory' },
      kind: 'workflows.dev-pipeline',
      isReached: vi.waitFor(() => expect(existsSync(mark)).toBe(true), PATIENCE),
      async onDeath() {
        pid = Number(await readFile(mark, 'utf8'));
        await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), PATIENCE);
      },
    });
    expect(pid).toBeGreaterThan(0);
    expect(answer.checks).toMatchObject([{ name: 'slow', before: 'passed', after: 'passed' }]);
    await rm(folder, { recursive: true });
  },
);

/** Red where the new test stands with the old code, and never ends there the first time. */
const ENDLESS_AT_BASE = [
  "const fs = require('node:fs');",
  "if (fs.existsSync('new.test.mjs') && fs.readFileSync('sum.mjs', 'utf8').includes('a - b')) {",
  ENDLESS_ONCE,
  'process.exitCode = 1;',
  '}',
].join('\n');

slowlyVerifiesApp(
  'pipelines.kill',
  'a server that dies while the tests of a change stand alone leaves the change as it was, and they are run again',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nexus-mark-'));
    const mark = join(folder, 'mark');
    const writes = [
      { name: 'edit_file', input: { path: 'sum.mjs', old: 'a - b', new: 'a + b' } },
      { name: 'write_file', input: { path: 'new.test.mjs', text: 'NEW-TEST' } },
    ];
    await using team = await pipelineTeam(({ asked, count }) =>
      asked === 'implementer' && count === 1 ? { text: 'I write both.', tools: writes } : undefined,
    );
    const commands = { slow: [process.execPath, '-e', ENDLESS_AT_BASE] };
    await using project = await sumProject(team, {
      config: { workflows: { commands, commandEnvironment: ['MARK_FILE'] } },
      env: { MARK_FILE: mark },
    });
    const { answer } = await killInRun({
      project,
      team,
      ...devPipeline,
      isReached: vi.waitFor(() => expect(existsSync(mark)).toBe(true), PATIENCE),
      async onDeath() {},
    });
    expect(answer).toMatchObject({
      status: 'done',
      qa: { passed: true, rounds: 1, proof: { verdict: 'proved', tests: ['new.test.mjs'] } },
      checks: [{ name: 'slow', before: 'passed', after: 'passed' }],
    });
    expect(git(project, 'show', `${answer.changes.branch}:sum.mjs`)).toContain('a + b');
    expect(git(project, 'show', `${answer.changes.branch}:new.test.mjs`)).toBe('NEW-TEST');
    expect(readdirSync(worktrees(project))).toEqual([]);
    await rm(folder, { recursive: true });
  },
);

const SPEC_MOMENTS = [
  ['analyst', 1],
  ['expert', 2],
  ['joint-judge', 1],
  ['judge', 1],
] as const;

for (const moment of SPEC_MOMENTS) {
  slowlyVerifiesApp('pipelines.kill', `execute_spec goes on after ${moment.join(' ')} was asked`, () =>
    heldAt(moment, async (_project, kill) => {
      expect(
        await kill({ tool: 'execute_spec', args: { spec: SPEC }, kind: 'workflows.spec' }),
      ).toMatchObject({
        status: 'met',
        dag: { levels: [['exported', 'refused'], ['told']] },
        requirements: [{ status: 'met' }, { status: 'met' }, { status: 'met' }],
      });
    }),
  );
}

const PIPELINE_MOMENTS = [
  ['expert', 2],
  ['voter', 2],
] as const;

for (const moment of PIPELINE_MOMENTS) {
  slowlyVerifiesApp('pipelines.kill', `run_pipeline goes on after ${moment.join(' ')} was asked`, () =>
    heldAt(moment, async (_project, kill) => {
      const args = { task: 'Write a poem.', quickMode: true };
      expect(await kill({ tool: 'run_pipeline', args, kind: 'workflows.pipeline' })).toMatchObject({
        template: 'general',
        status: 'done',
        stages: [{ id: 'plan' }, { id: 'vote', status: 'approved' }, { id: 'work' }, { id: 'review' }],
      });
    }),
  );
}
