import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { git, pipelineTeam, SPEC, sumProject, usersFiles } from '../harness/pipeline-team.ts';
import { holdAt, killInRun } from '../harness/run-kill.ts';
import type { SharedProject } from '../harness/shared-project.ts';
import { verifiesApp } from '../harness/verifies.ts';

const PATIENCE = { timeout: 40_000, interval: 20 };
const task = 'Fix the bug: let the sum of 2 and 3 be 5.';

const worktrees = ({ dataDir }: SharedProject) => join(dataDir, 'workflows', 'worktrees');

/** One of each kind of work: a plan, a ballot beside others, a turn that has written a file, a judgement. */
const DEV_MOMENTS = [
  ['planner', 1],
  ['voter', 4],
  ['implementer', 2],
  ['reviewer', 1],
] as const;

for (const [asked, count] of DEV_MOMENTS) {
  verifiesApp('pipelines.kill', `run_dev_pipeline goes on after ${asked} ${count} was asked`, async () => {
    const held = holdAt(asked, count);
    await using team = await pipelineTeam((request) => (held.holds(request) ? { hangs: true } : undefined));
    await using project = await sumProject(team);
    const before = await usersFiles(project);
    const { answer } = await killInRun({
      project,
      team,
      tool: 'run_dev_pipeline',
      args: { task, qualityGate: 'blocking' },
      kind: 'workflows.dev-pipeline',
      ...held,
    });
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
}

verifiesApp(
  'pipelines.kill',
  'run_dev_pipeline makes a lost worktree again from what is on its branch',
  async () => {
    const held = holdAt('implementer', 2);
    await using team = await pipelineTeam((request) => (held.holds(request) ? { hangs: true } : undefined));
    await using project = await sumProject(team);
    const { answer } = await killInRun({
      project,
      team,
      tool: 'run_dev_pipeline',
      args: { task, qualityGate: 'blocking' },
      kind: 'workflows.dev-pipeline',
      isReached: held.isReached,
      async onDeath() {
        held.onDeath();
        await rm(worktrees(project), { recursive: true });
      },
    });
    // In the first round: what was written before was not lost, and then mended.
    expect(answer).toMatchObject({ status: 'done', qa: { rounds: 1 }, checks: [{ after: 'passed' }] });
  },
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

verifiesApp(
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

for (const [asked, count] of [
  ['analyst', 1],
  ['expert', 2],
  ['judge', 3],
] as const) {
  verifiesApp('pipelines.kill', `execute_spec goes on after ${asked} ${count} was asked`, async () => {
    const held = holdAt(asked, count);
    await using team = await pipelineTeam((request) => (held.holds(request) ? { hangs: true } : undefined));
    await using project = await sumProject(team);
    const { answer } = await killInRun({
      project,
      team,
      tool: 'execute_spec',
      args: { spec: SPEC },
      kind: 'workflows.spec',
      ...held,
    });
    expect(answer).toMatchObject({
      status: 'met',
      dag: { levels: [['exported', 'refused'], ['told']] },
      requirements: [{ status: 'met' }, { status: 'met' }, { status: 'met' }],
    });
  });
}

for (const [asked, count] of [
  ['expert', 2],
  ['voter', 2],
] as const) {
  verifiesApp('pipelines.kill', `run_pipeline goes on after ${asked} ${count} was asked`, async () => {
    const held = holdAt(asked, count);
    await using team = await pipelineTeam((request) => (held.holds(request) ? { hangs: true } : undefined));
    await using project = await sumProject(team);
    const { answer } = await killInRun({
      project,
      team,
      tool: 'run_pipeline',
      args: { task: 'Write a poem.', quickMode: true },
      kind: 'workflows.pipeline',
      ...held,
    });
    expect(answer).toMatchObject({
      template: 'general',
      status: 'done',
      stages: [{ id: 'plan' }, { id: 'vote', status: 'approved' }, { id: 'work' }, { id: 'review' }],
    });
  });
}
