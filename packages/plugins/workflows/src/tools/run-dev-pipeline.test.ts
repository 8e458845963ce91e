import { chmodSync, existsSync, readdirSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePlugin, type VoteOutput } from '@nexus/plugin-sdk';
import { type PluginUnderTest, type ScriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, describe, expect } from 'vitest';
import { it, slowly } from '../../../../../vitest.slowly.ts';
import { devTeam, lastText, MEND, PLAN, resultsIn, roleOf, scriptedVote, use } from '../../test/dev-team.ts';
import { type FixtureRepository, fixtureRepository, TEST_COMMAND } from '../../test/fixture-repository.ts';
import type { DevOutput } from '../dev-pipeline/dev-output.ts';
import workflows from '../index.ts';

type Answer = DevOutput & { readonly runId: string; readonly summary: string };

let plugin: PluginUnderTest;
let repository: FixtureRepository;
afterEach(async () => {
  await plugin.stop();
  repository[Symbol.dispose]();
});

interface Given {
  readonly models?: ScriptedModels;
  readonly vote?: (count: number) => VoteOutput['decision'];
  readonly options?: Readonly<Record<string, unknown>>;
}

async function start({ models = devTeam(), vote, options = {} }: Given = {}) {
  repository = fixtureRepository();
  const ballots = scriptedVote((_, count) => vote?.(count) ?? 'approved');
  const withVote = definePlugin({ ...workflows, runs: [...(workflows.runs ?? []), ballots] });
  plugin = await startPlugin(withVote, {
    models,
    projectRoot: repository.path,
    options: { commands: { test: TEST_COMMAND }, ...options },
  });
  return { models, ballots: ballots.held };
}

const PATIENCE = { timeout: 25_000 };
const task = 'Let the sum of 2 and 3 be 5.';

/** What is left under the data directory. */
const leftovers = () => {
  const folder = join(plugin.host.dataDir, 'workflows', 'worktrees');
  return existsSync(folder) ? readdirSync(folder) : [];
};

const branches = () => repository.git('branch', '--list', '--format=%(refname:short)', 'nexus/*').trim();

describe('run_dev_pipeline', () => {
  it('leaves a branch whose diff makes the failing test pass, and the user’s tree as it was', async () => {
    const { models } = await start();
    repository.write('mine.txt', 'not committed');
    repository.write('sum.js', 'export const sum = () => "half way";\n');
    repository.git('add', 'sum.js');
    const before = repository.snapshot();
    const answer = await plugin.answer<Answer>('run_dev_pipeline', { task, qualityGate: 'blocking' });
    expect(answer).toMatchObject({
      status: 'done',
      plan: { summary: 'The sum adds.' },
      tasks: [{ title: 'Let sum add', status: 'committed', output: 'It adds now.' }],
      vote: { decision: 'approved', rounds: 1 },
      qa: { gate: 'blocking', passed: true, rounds: 1 },
      checks: [{ name: 'test', before: 'failed', after: 'passed', exitCode: 0 }],
      changes: { files: [{ path: 'sum.js', added: 1, removed: 1 }] },
    });
    const { branch = '', base, diff } = answer.changes;
    expect(branch).toMatch(/^nexus\/let-the-sum-of-2-and-3-be-5-[0-9a-f]{8}$/);
    expect(branches()).toBe(branch);
    expect(repository.git('diff', base, branch)).toBe(diff);
    expect(repository.git('show', `${branch}:sum.js`)).toBe('export const sum = (a, b) => a + b;\n');
    expect(answer.summary).toContain(`# Done, on branch \`${branch}\``);
    expect(answer.summary).toContain('What you have changed and not committed is not in it');
    expect(repository.snapshot()).toEqual(before);
    expect(repository.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(leftovers()).toEqual([]);
    expect(models.requests.map(roleOf)).toEqual([
      'researcher',
      'planner',
      'implementer',
      'implementer',
      'reviewer',
    ]);
  });

  it('asks each for what it needs: the reviewer sees the request, the diff and the checks alone', async () => {
    const { models, ballots } = await start();
    await plugin.answer('run_dev_pipeline', { task });
    const [research, plan, work, , review] = models.requests.map(lastText);
    expect(research).toContain('the check test: failed before any change');
    expect(plan).toContain('sum.js:1 subtracts.');
    expect(ballots[0]?.proposal).toContain('sum.js subtracts; let it add.');
    expect(work).toContain('sum.js subtracts; let it add.');
    expect(work).not.toContain('sum.js:1 subtracts.');
    expect(review).toContain('+export const sum = (a, b) => a + b;');
    expect(review).toContain('the check test: passed now, failed before the change');
    expect(review).toContain('You see the diff with some lines around it, and open nothing');
    expect(review).not.toContain('It adds now.');
    expect(review).not.toContain(PLAN.summary);
  });

  it('tells a model that tries to get out of its worktree so, each time, and does nothing', async () => {
    const tries = [
      ['write_file', { path: '../escaped.txt', text: 'x' }, /lies outside the worktree/],
      [
        'write_file',
        { path: join(tmpdir(), `nexus-escaped-${process.pid}.txt`), text: 'x' },
        /lies outside the worktree/,
      ],
      ['write_file', { path: 'out/escaped.txt', text: 'x' }, /lies outside the worktree/],
      ['write_file', { path: 'nowhere', text: 'x' }, /goes through a link that leads nowhere/],
      ['write_file', { path: '.git/hooks/pre-commit', text: 'x' }, /git's own data/],
      ['write_file', { path: '.GIT', text: 'x' }, /git's own data/],
      ['read_file', { path: 'out/secret.txt' }, /lies outside the worktree/],
      ['edit_file', { path: 'out/secret.txt', old: 'a', new: 'b' }, /lies outside the worktree/],
      ['delete_file', { path: '../../x' }, /lies outside the worktree/],
      ['list_files', { folder: '..' }, /lies outside the worktree/],
      ['search_files', { text: 'a', folder: '..' }, /lies outside the worktree/],
      ['run_command', { name: 'deploy' }, /not among the commands of the config/],
      ['run_command', { name: 'test; touch x' }, /not among the commands of the config/],
      ['run_command', { name: 'constructor' }, /not among the commands of the config/],
    ] as const;
    const tools = tries.map(([name, input]) => ({ name, input }));
    const models = devTeam({
      implementer: (_, count) => (count === 1 ? { tools } : count === 2 ? { tools: [MEND] } : 'Done.'),
    });
    await start({ models });
    const outside = join(plugin.host.dataDir, 'outside');
    symlinkSync(repository.path, join(repository.path, 'out'));
    symlinkSync(outside, join(repository.path, 'nowhere'));
    repository.git('add', 'out', 'nowhere');
    repository.git('commit', '--quiet', '--message=Links');
    repository.write('secret.txt', 'a secret');
    const before = repository.snapshot();
    const answer = await plugin.answer<Answer>('run_dev_pipeline', { task });
    const asked = models.requests.filter((request) => roleOf(request) === 'implementer');
    const results = resultsIn(asked[1]);
    expect(results).toHaveLength(tries.length);
    for (const [index, [, , told]] of tries.entries()) {
      expect(results[index]).toMatchObject({ isError: true, text: expect.stringMatching(told) });
    }
    expect(answer.changes.files.map(({ path }) => path)).toEqual(['sum.js']);
    expect(repository.snapshot()).toEqual(before);
    expect(existsSync(join(tmpdir(), `nexus-escaped-${process.pid}.txt`))).toBe(false);
    expect(existsSync(outside)).toBe(false);
  });

  it('stops at a vote against the plan, after as many fresh ballots as allowed, and begins nothing', async () => {
    const { models, ballots } = await start({ vote: () => 'rejected' });
    const before = repository.snapshot();
    const answer = await plugin.answer<Answer>('run_dev_pipeline', { task, maxVoteIterations: 2 });
    expect(answer).toMatchObject({
      status: 'rejected',
      vote: { decision: 'rejected', rounds: 2, votes: [{ reasoning: 'REASON-2' }] },
      tasks: [{ status: 'not_begun' }],
      changes: { diff: '', files: [] },
    });
    expect(answer.summary).toMatch(/^# Stopped: the plan was voted down/);
    expect(ballots).toHaveLength(2);
    const plans = models.requests.filter((request) => roleOf(request) === 'planner').map(lastText);
    expect(plans[1]).toContain('REASON-1');
    expect(ballots[1]?.proposal).not.toContain('REASON-1');
    expect(models.requests.map(roleOf)).not.toContain('implementer');
    expect(branches()).toBe('');
    expect(leftovers()).toEqual([]);
    expect(repository.snapshot()).toEqual(before);
  });

  slowly('goes on with a plan that was mended after a vote against it', async () => {
    await start({ vote: (count) => (count === 1 ? 'rejected' : 'approved') });
    const answer = await plugin.answer<Answer>('run_dev_pipeline', { task });
    expect(answer).toMatchObject({ status: 'done', vote: { decision: 'approved', rounds: 2 } });
  });

  slowly('does not plan again where the vote decided nothing', async () => {
    const { models } = await start({ vote: () => 'no_quorum' });
    const answer = await plugin.answer<Answer>('run_dev_pipeline', { task });
    expect(answer).toMatchObject({ status: 'no_quorum', vote: { rounds: 1 } });
    expect(models.requests.filter((request) => roleOf(request) === 'planner')).toHaveLength(1);
  });

  it('mends what the review sends back, with what was said of it', async () => {
    const models = devTeam({
      reviewer: (_, count) => ({
        object:
          count === 1
            ? { passes: false, summary: 'No.', findings: [{ file: 'sum.js', line: 1, claim: 'NO-COMMENT' }] }
            : { passes: true, summary: 'Yes.', findings: [] },
      }),
      implementer: (request) =>
        lastText(request).includes('NO-COMMENT')
          ? use('edit_file', { path: 'sum.js', old: 'export', new: '// Adds.\nexport' })
          : undefined,
    });
    await start({ models });
    const answer = await plugin.answer<Answer>('run_dev_pipeline', { task });
    expect(answer).toMatchObject({ status: 'done', qa: { passed: true, rounds: 2 } });
    expect(answer.changes.diff).toContain('+// Adds.');
    expect(repository.git('log', '--format=%s', `main..${answer.changes.branch}`).trim().split('\n')).toEqual(
      [task, 'Let sum add'],
    );
    const [last] = repository.git('log', '-1', '--format=%b', String(answer.changes.branch)).split('\n');
    expect(last).toBe('Mend what was sent back.');
  });

  it('leaves no branch as done where a check fails and the gate blocks, and says where the work is kept', async () => {
    const models = devTeam({
      implementer: (_, count) =>
        count % 2 === 1 ? use('write_file', { path: `note-${count}.md`, text: 'no help' }) : 'Done.',
    });
    await start({ models });
    const args = { task, qualityGate: 'blocking', maxQaIterations: 2 };
    const answer = await plugin.answer<Answer>('run_dev_pipeline', args);
    expect(answer).toMatchObject({
      status: 'blocked',
      qa: { passed: false, rounds: 2, review: { passes: true } },
      checks: [
        { before: 'failed', after: 'failed', output: expect.stringContaining('two and three are five') },
      ],
    });
    expect(answer.changes.branch).toMatch(/^nexus\/unfinished\//);
    expect(branches()).toBe(answer.changes.branch);
    expect(answer.summary).toMatch(
      /^# Blocked by the quality gate: test failed\n\nNo branch is left as done\./,
    );
    expect(leftovers()).toEqual([]);
  });

  slowly('tells a failed check where the gate is advisory, and runs none where it is off', async () => {
    const models = () => devTeam({ implementer: () => 'I did nothing much.' });
    await start({
      models: devTeam({
        implementer: (_, count) => (count === 1 ? use('write_file', { path: 'a.md', text: 'a' }) : 'Done.'),
      }),
    });
    const advised = await plugin.answer<Answer>('run_dev_pipeline', { task, maxQaIterations: 1 });
    expect(advised).toMatchObject({ status: 'done', qa: { passed: false } });
    expect(advised.summary).toMatch(/^# Done, on branch `[^`]+`, but not passed: test failed\n/);
    expect(advised.summary).toContain('**Its quality was not passed**');
    await plugin.stop();
    repository[Symbol.dispose]();
    const { models: asked } = await start({ models: models() });
    const off = await plugin.answer<Answer>('run_dev_pipeline', { task, qualityGate: 'off' });
    expect(off).toMatchObject({ status: 'unchanged', qa: { gate: 'off', rounds: 0 }, checks: [] });
    expect(asked.requests.map(roleOf)).not.toContain('reviewer');
    expect(branches()).toBe('');
  });

  it('makes a dry run without a model, without a run, and without a trace', async () => {
    const { models } = await start();
    const before = repository.snapshot();
    const answer = await plugin.answer<{ status: string; summary: string }>('run_dev_pipeline', {
      task,
      dryRun: true,
    });
    expect(answer).not.toHaveProperty('runId');
    expect(answer.status).toBe('dry_run');
    expect(answer.summary).toContain('`test` (`');
    expect(models.requests).toEqual([]);
    expect((await plugin.host.runs.list({ limit: 9 })).total).toBe(0);
    expect(repository.snapshot()).toEqual(before);
    expect(branches()).toBe('');
    expect(leftovers()).toEqual([]);
  });

  slowly('pauses at maxBudgetTokens, keeps its worktree, and goes on from there', async () => {
    const { models } = await start();
    const paused = await plugin.call('run_dev_pipeline', { task, maxBudgetTokens: 1_000 });
    expect(paused.isError).toBeUndefined();
    await plugin.stop();
    repository[Symbol.dispose]();
    expect(models.requests.length).toBeGreaterThan(0);
    const dear = { inputTokens: 400, outputTokens: 100 };
    const { models: again } = await start({
      models: devTeam({
        planner: () => ({ object: PLAN, usage: dear }),
        researcher: () => ({ text: 'x', usage: dear }),
      }),
    });
    const stopped = await plugin.call('run_dev_pipeline', { task, maxBudgetTokens: 1_000 });
    const { code, detail } = Object(stopped._meta?.['nexus/error']) as {
      code: string;
      detail: { runId: string };
    };
    expect(code).toBe('NEXUS_BUDGET_EXCEEDED');
    expect(leftovers()).toHaveLength(2);
    const asked = again.requests.length;
    const answer = await plugin.resume<Answer>(detail.runId, { maxTokens: 100_000 });
    expect(answer).toMatchObject({ status: 'done', runId: detail.runId });
    expect(again.requests.slice(asked).map(roleOf)).toEqual(['implementer', 'implementer', 'reviewer']);
    expect(leftovers()).toEqual([]);
  });

  it('takes its worktree away when it is cancelled, keeps what was made on a branch, and takes it up again', async () => {
    const models = devTeam({
      implementer: (request, count) =>
        count === 1 ? { tools: [MEND] } : count === 2 ? { hangs: true } : lastText(request) && 'Done.',
    });
    await start({ models });
    const client = new AbortController();
    const call = plugin.call('run_dev_pipeline', { task }, { signal: client.signal });
    await expect
      .poll(() => models.requests.map(roleOf).filter((role) => role === 'implementer').length, PATIENCE)
      .toBe(2);
    client.abort();
    const { detail } = Object((await call)._meta?.['nexus/error']) as { detail: { runId: string } };
    const [run] = (await plugin.host.runs.list({ limit: 1 })).runs;
    await expect.poll(leftovers, PATIENCE).toEqual([]);
    expect(branches()).toMatch(/^nexus\/unfinished\//);
    expect(repository.git('log', '-1', '--format=%s', branches()).trim()).toBe('Unfinished: Let sum add');
    const again = await plugin.resume<Answer>(String(run?.id ?? detail.runId));
    expect(again).toMatchObject({ status: 'done', changes: { files: [{ path: 'sum.js' }] } });
    expect(models.requests.map(roleOf).filter((role) => role === 'planner')).toHaveLength(1);
    expect(branches()).toBe(again.changes.branch);
  });

  it.skipIf(process.platform === 'win32')('starts no hook, signer or monitor of the user’s', async () => {
    await start();
    const ran = join(repository.path, '.git', 'ran');
    const program = `#!/bin/sh\necho "$0" >> '${ran}'\nexit 1\n`;
    for (const name of ['pre-commit', 'post-checkout', 'reference-transaction', 'post-index-change']) {
      repository.write(`.git/hooks/${name}`, program);
      chmodSync(join(repository.path, '.git', 'hooks', name), 0o755);
    }
    repository.write('.git/program', program);
    chmodSync(join(repository.path, '.git', 'program'), 0o755);
    for (const setting of ['core.fsmonitor', 'gpg.program', 'diff.external', 'core.pager', 'core.editor']) {
      repository.git('config', setting, join(repository.path, '.git', 'program'));
    }
    repository.git('config', 'commit.gpgSign', 'true');
    // Git would note in the index that it looked at the file again.
    utimesSync(join(repository.path, 'sum.js'), new Date(0), new Date(0));
    const before = repository.snapshot();
    const answer = await plugin.answer<Answer>('run_dev_pipeline', { task, qualityGate: 'blocking' });
    expect(answer.status).toBe('done');
    expect(existsSync(ran)).toBe(false);
    expect(repository.snapshot()).toEqual(before);
  });

  it('keeps what its checks leave behind out of the change', async () => {
    const report =
      "const { writeFileSync } = require('fs'); writeFileSync('report.xml', ''); writeFileSync('sum.js', '')";
    const commands = { test: TEST_COMMAND, report: [process.execPath, '-e', report] };
    await start({ options: { commands } });
    const answer = await plugin.answer<Answer>('run_dev_pipeline', { task, qualityGate: 'blocking' });
    expect(answer).toMatchObject({ status: 'done', checks: [{ after: 'passed' }, { after: 'passed' }] });
    expect(answer.changes.files.map(({ path }) => path)).toEqual(['sum.js']);
    expect(answer.changes.diff).toContain('a + b');
  });

  it('shows models no more of the repository than lies inside the roots', async () => {
    const models = devTeam({
      implementer: (_, count) =>
        count === 1
          ? {
              tools: [
                { name: 'read_file', input: { path: '../secret.txt' } },
                { name: 'search_files', input: { text: 'secret' } },
                { name: 'list_files', input: {} },
                { name: 'write_file', input: { path: 'new.md', text: 'new' } },
              ],
            }
          : 'Done.',
    });
    repository = fixtureRepository({ 'secret.txt': 'secret', 'part/own.txt': 'own' });
    const withVote = definePlugin({ ...workflows, runs: [...(workflows.runs ?? []), scriptedVote()] });
    plugin = await startPlugin(withVote, { models, projectRoot: join(repository.path, 'part') });
    const answer = await plugin.answer<Answer>('run_dev_pipeline', { task });
    const asked = models.requests.filter((request) => roleOf(request) === 'implementer');
    expect(resultsIn(asked[1]).map(({ text }) => text)).toEqual([
      expect.stringContaining('lies outside the worktree'),
      expect.stringContaining('No line contains "secret"'),
      expect.stringMatching(/\nown\.txt\n/),
      expect.stringContaining('new.md is written.'),
    ]);
    expect(answer.changes.files.map(({ path }) => path)).toEqual(['part/new.md']);
  });

  it('reads a plan from a file in the place of a task, without research', async () => {
    const { models } = await start();
    repository.write('plan.md', '# Let sum add\n\nMAKE-IT-SO\n');
    const answer = await plugin.answer<Answer>('run_dev_pipeline', { planFile: 'plan.md' });
    expect(answer.status).toBe('done');
    expect(models.requests.map(roleOf)).not.toContain('researcher');
    expect(lastText(models.requests[0] ?? { prompt: '' })).toContain('MAKE-IT-SO');
  });

  it('refuses a plan that is longer than one can be, with what to do', async () => {
    const { models } = await start();
    repository.write('long.md', 'x'.repeat(100_001));
    const { content } = await plugin.call('run_dev_pipeline', { planFile: 'long.md' });
    expect(content[0]?.text).toContain('has 100001 characters; 1 to 100000 make a plan. Give a longer one');
    expect(models.requests).toEqual([]);
  });

  it.each([
    [{}, 'NEXUS_INVALID_ARGUMENTS', /either a task or a planFile, such as \{"task": "Accept tabs\."\}/],
    [{ task, planFile: 'plan.md' }, 'NEXUS_INVALID_ARGUMENTS', /either a task or a planFile/],
    [{ planFile: '/etc/hostname' }, 'NEXUS_OUTSIDE_ROOTS', /outside the roots/],
    [{ planFile: 'no.md' }, 'NEXUS_NOT_FOUND', /There is no "no\.md"/],
    [{ task, workingDir: '..' }, 'NEXUS_OUTSIDE_ROOTS', /lies outside the roots/],
    [{ task, workingDir: 'no' }, 'NEXUS_NOT_FOUND', /There is no "no"/],
  ])('refuses %o before a model is asked', async (args, code, text) => {
    const { models } = await start();
    const { content, _meta } = await plugin.call('run_dev_pipeline', args);
    expect(_meta?.['nexus/error']).toMatchObject({ code });
    expect(content[0]?.text).toMatch(text);
    expect(models.requests).toEqual([]);
  });

  it('refuses a gate that blocks without a check, and names in the config that are no command', async () => {
    await start({ options: { commands: {} } });
    const unchecked = await plugin.call('run_dev_pipeline', { task, qualityGate: 'blocking' });
    expect(unchecked.content[0]?.text).toMatch(/needs a check, and the config has none/);
    await plugin.stop();
    repository[Symbol.dispose]();
    await start({ options: { setup: ['instal'] } });
    const misnamed = await plugin.call('run_dev_pipeline', { task });
    expect(misnamed._meta?.['nexus/error']).toMatchObject({ code: 'NEXUS_CONFIG' });
    expect(misnamed.content[0]?.text).toMatch(/instal in workflows\.setup/);
  });

  it('makes a fresh worktree ready by the commands of setup, and stops where one fails', async () => {
    const commands = {
      test: TEST_COMMAND,
      install: [process.execPath, '-e', "require('fs').mkdirSync('ignored');process.exit(3)"],
    };
    const { models } = await start({ options: { commands, setup: ['install'] } });
    const { content } = await plugin.call('run_dev_pipeline', { task });
    expect(content[0]?.text).toMatch(/could not be made ready: install failed/);
    expect(models.requests).toEqual([]);
    await expect.poll(leftovers, PATIENCE).toEqual([]);
    expect(branches()).toBe('');
  });
});
