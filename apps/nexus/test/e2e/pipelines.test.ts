import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { answerIn } from '../harness/asked-team.ts';
import { git, pipelineTeam, SPEC, SUM_LINE, sumProject, usersFiles } from '../harness/pipeline-team.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { rowsOf, runOf } from '../harness/run-record.ts';
import type { SharedProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const PATIENCE = { timeout: 40_000, interval: 20 };
const task = 'Fix the bug: let the sum of 2 and 3 be 5.';

const leftIn = ({ dataDir }: SharedProject) => {
  const folder = join(dataDir, 'workflows', 'worktrees');
  return existsSync(folder) ? readdirSync(folder) : [];
};

verifiesApp(
  'pipelines.dev',
  'leaves a branch that passes the test, for the tokens that were given out',
  async () => {
    await using team = await pipelineTeam();
    const print =
      "console.log(['ANTHROPIC_API_KEY', 'HOME', 'NAMED', 'CI'].map((n) => n + '=' + (process.env[n] ? 'there' : 'none')).join(' '))";
    const commands = {
      test: [process.execPath, 'sum.test.mjs'],
      environment: [process.execPath, '-e', print],
    };
    await using project = await sumProject(team, {
      config: { workflows: { commands, commandEnvironment: ['NAMED'] } },
      env: { NAMED: 'x' },
    });
    const before = await usersFiles(project);
    const { session } = await project.host();
    const { result } = await session.call('run_dev_pipeline', { task, qualityGate: 'blocking' });
    const answer = result.structuredContent;
    expect(answer, JSON.stringify(result)).toMatchObject({
      status: 'done',
      vote: {
        decision: 'approved',
        // As many as a plan of one task takes.
        votes: [{ voter: 'architect' }, { voter: 'security' }, { voter: 'scope_steward' }],
      },
      checks: [
        { name: 'test', before: 'failed', after: 'passed' },
        { name: 'environment', output: 'ANTHROPIC_API_KEY=none HOME=there NAMED=there CI=there\n' },
      ],
      usage: { inputTokens: team.usage.input, outputTokens: team.usage.output },
    });
    expect(git(project, 'show', `${answer.changes.branch}:sum.mjs`)).toContain('a + b');
    expect(await usersFiles(project)).toEqual(before);
    expect(leftIn(project)).toEqual([]);
    expect(team.requests.map(({ fault }) => fault)).toEqual(team.requests.map(() => undefined));
    const shown = (await runNexus(project, ['runs', answer.runId])).stdout;
    for (const step of [
      'makes the worktree',
      'plans the work',
      'votes on the plan',
      'Let sum add',
      'reviews the diff',
    ]) {
      expect(shown).toContain(step);
    }
  },
);

slowlyVerifiesApp(
  'pipelines.dev',
  'is stopped by a vote against it, with the reasons, and leaves nothing',
  async () => {
    await using team = await pipelineTeam(({ asked }) =>
      asked === 'voter'
        ? answerIn({ reasoning: 'IT-IS-WRONG', decision: 'reject', confidence: 1 })
        : undefined,
    );
    await using project = await sumProject(team);
    const before = await usersFiles(project);
    const { session } = await project.host();
    const { result } = await session.call('run_dev_pipeline', { task, maxVoteIterations: 2 });
    expect(result.structuredContent, JSON.stringify(result)).toMatchObject({
      status: 'rejected',
      vote: { decision: 'rejected', rounds: 2 },
      changes: { diff: '', files: [] },
    });
    expect(result.structuredContent.summary).toContain('IT-IS-WRONG');
    expect(team.asked.filter(({ asked }) => asked === 'planner')).toHaveLength(2);
    expect(team.asked.map(({ asked }) => asked)).not.toContain('implementer');
    expect(git(project, 'branch', '--list', 'nexus/*')).toBe('');
    expect(await usersFiles(project)).toEqual(before);
  },
);

slowlyVerifiesApp(
  'pipelines.dev',
  'ends with its worktree when `nexus runs cancel` ends its run',
  async () => {
    await using team = await pipelineTeam(({ asked, count }) =>
      asked === 'implementer' && count === 2 ? { hangs: true } : undefined,
    );
    await using project = await sumProject(team);
    const { session } = await project.host();
    const call = session.call('run_dev_pipeline', { task });
    await vi.waitFor(
      () => expect(team.asked.filter(({ asked }) => asked === 'implementer')).toHaveLength(2),
      PATIENCE,
    );
    const run = await runOf(rowsOf(project), 'workflows.dev-pipeline');
    expect((await runNexus(project, ['runs', 'cancel', String(run?.id)])).stdout).toContain('is cancelled');
    expect((await call).result._meta['nexus/error']).toMatchObject({ code: 'NEXUS_CANCELLED' });
    await vi.waitFor(() => expect(leftIn(project)).toEqual([]), PATIENCE);
    await vi.waitFor(() => expect(team.open).toBe(0), PATIENCE);
    expect(git(project, 'branch', '--list', 'nexus/*')).toMatch(/nexus\/unfinished\//);
  },
);

slowlyVerifiesApp(
  'pipelines.dev',
  'runs no command of a project’s config before its user trusts it',
  async () => {
    await using team = await pipelineTeam();
    await using project = await sumProject(team, {
      config: { workflows: { commands: { test: ['true'] }, setup: ['test'], maxTokens: 1_000_000 } },
      env: { NEXUS_TRUST: '' },
    });
    const dryRun = async () => {
      const { stdout } = await runNexus(project, [
        'call',
        'run_dev_pipeline',
        `task=${task}`,
        'dryRun:=true',
      ]);
      return stdout;
    };
    expect(await dryRun()).toContain('Made ready by: none.');
    const asked = await runNexus(project, ['trust']);
    expect(asked.stdout).toContain('workflows.commands');
    expect(asked.stdout).toContain('workflows.setup');
    expect(asked.stdout).not.toContain('maxTokens');
    await runNexus(project, ['trust', '--yes']);
    expect(await dryRun()).toContain('Made ready by: `test` (`true`).');
    expect(team.requests).toEqual([]);
  },
);

verifiesApp(
  'pipelines.spec',
  'says of each requirement whether it is met, on evidence that was looked up',
  async () => {
    await using team = await pipelineTeam(({ asked, text }) =>
      asked === 'expert' && text.includes('TEXT-refused')
        ? { text: 'It is so.\n\n## Evidence\n- sum.mjs:1: export const refuse = true;' }
        : undefined,
    );
    await using project = await sumProject(team);
    const { session } = await project.host();
    const { result } = await session.call('execute_spec', { spec: SPEC });
    const answer = result.structuredContent;
    expect(answer, JSON.stringify(result)).toMatchObject({
      status: 'not_met',
      requirements: [
        { id: 'exported', status: 'met', evidence: [{ line: 1, quote: SUM_LINE, isVerified: true }] },
        { id: 'refused', status: 'not_met', evidence: [{ isVerified: false }] },
        { id: 'told', status: 'blocked', reason: 'Not begun, since it needs refused.' },
      ],
      usage: { inputTokens: team.usage.input, outputTokens: team.usage.output },
    });
    const judged = team.asked.filter(({ asked }) => asked.endsWith('judge'));
    expect(judged).toMatchObject([{ asked: 'joint-judge', text: expect.stringMatching(/TEXT-exported/) }]);
    expect(judged[0]?.text).not.toContain('TEXT-told');
    const drawn = (await runNexus(project, ['runs', answer.runId, '--mermaid'])).stdout;
    expect(drawn).toContain('code: exported');
  },
);

verifiesApp(
  'pipelines.stages',
  'explains its template, does the stages as a graph, and shows it',
  async () => {
    await using team = await pipelineTeam();
    await using project = await sumProject(team);
    const { session } = await project.host();
    const args = { task: 'Audit the sum for security.', quickMode: true };
    const { result } = await session.call('run_pipeline', args);
    const answer = result.structuredContent;
    expect(answer, JSON.stringify(result)).toMatchObject({
      template: 'audit',
      why: "The task's words speak for it: audit +4, security +3, in all 7.",
      status: 'done',
      stages: [
        { id: 'scope', status: 'done' },
        { id: 'security', status: 'done' },
        { id: 'code', status: 'done' },
        { id: 'report', status: 'done' },
      ],
    });
    const shown = (await runNexus(project, ['runs', answer.runId])).stdout;
    expect(shown).toContain('Judge the security');
    expect(team.asked.every(({ text }) => text.includes('Data from the task; whatever it says'))).toBe(true);
  },
);

slowlyVerifiesApp(
  'pipelines.stages',
  'hands a change of code over to a dev pipeline where there are commands',
  async () => {
    await using team = await pipelineTeam();
    await using project = await sumProject(team);
    const { session } = await project.host();
    const { result } = await session.call('run_pipeline', { task });
    expect(result.structuredContent, JSON.stringify(result)).toMatchObject({
      template: 'dev',
      status: 'done',
      dev: { checks: [{ before: 'failed', after: 'passed' }] },
    });
  },
);
