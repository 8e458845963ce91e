import {
  type Choices,
  definePlugin,
  type ExpertTurnInput,
  ToolError,
  type VoteOutput,
} from '@nexus/plugin-sdk';
import { type PluginUnderTest, scriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { devTeam, scriptedVote } from '../../test/dev-team.ts';
import { type FixtureRepository, fixtureRepository, TEST_COMMAND } from '../../test/fixture-repository.ts';
import { placesOf } from '../../test/places-of.ts';
import { scriptedExperts } from '../../test/scripted-experts.ts';
import workflows from '../index.ts';
import type { PipelineOutput } from '../pipeline/pipeline-output.ts';

type Answer = PipelineOutput & { readonly runId: string; readonly output: string; readonly summary: string };

let plugin: PluginUnderTest;
let repository: FixtureRepository;
afterEach(async () => {
  await plugin.stop();
  repository[Symbol.dispose]();
});

interface Given {
  readonly options?: object;
  readonly decision?: VoteOutput['decision'];
  /** Of a vote. */
  readonly choices?: Choices;
  readonly expert?: (input: ExpertTurnInput) => string | Error;
}

async function start({ options = {}, decision = 'approved', expert, choices }: Given = {}) {
  repository = fixtureRepository();
  const experts = scriptedExperts((input, count) => expert?.(input) ?? `${input.role} ${count}`);
  const ballots = { ...scriptedVote(() => decision), choices };
  const whole = definePlugin({ ...workflows, runs: [...(workflows.runs ?? []), experts, ballots] });
  const models = devTeam();
  plugin = await startPlugin(whole, { models, projectRoot: repository.path, options: { ...options } });
  return { turns: experts.turns, held: ballots.held, models };
}

const statuses = ({ stages }: Answer) => stages.map(({ id, status }) => `${id} ${status}`);

describe('run_pipeline', () => {
  it('chooses a template by the task’s words, does its stages in order, and answers the result first', async () => {
    const { turns } = await start();
    const task = 'Audit the login for security holes.';
    const answer = await plugin.answer<Answer>('run_pipeline', { task });
    expect(answer).toMatchObject({ template: 'audit', status: 'done' });
    expect(answer.why).toBe("The task's words speak for it: audit +4, security +3, in all 7.");
    expect(statuses(answer)).toEqual([
      'scope done',
      'security done',
      'code done',
      'tests done',
      'check done',
      'report done',
    ]);
    expect(answer.summary).toMatch(/^# Done\n\ndocumentation 6\n/);
    expect(answer.output).toBe('documentation 6');
    const security = turns.find(({ role }) => role === 'security');
    // What the user wrote and what others found are data, the stage's own task is not.
    expect(security?.assignment).toMatchObject({
      task: expect.stringContaining('Judge what the task names'),
      context: { 'the task': task },
      earlier: [{ from: 'research: Settle the scope', text: 'research 1' }],
    });
  });

  it('takes the template that the user names', async () => {
    await start();
    const answer = await plugin.answer<Answer>('run_pipeline', { task: 'Audit it.', template: 'general' });
    expect(answer).toMatchObject({ template: 'general', why: 'You named "general".' });
    expect(statuses(answer)).toEqual([
      'research done',
      'plan done',
      'vote approved',
      'work done',
      'review done',
    ]);
    expect(answer.summary).toMatch(/^# Done\n\nresearch 3\n/);
  });

  it('begins nothing after a vote against the plan, and says so', async () => {
    const { turns } = await start({ decision: 'rejected' });
    const answer = await plugin.answer<Answer>('run_pipeline', { task: 'Write a poem.' });
    expect(answer).toMatchObject({ template: 'general', status: 'rejected' });
    expect(statuses(answer)).toEqual([
      'research done',
      'plan done',
      'vote rejected',
      'work left_out',
      'review left_out',
    ]);
    expect(turns).toHaveLength(2);
    expect(answer.summary).toMatch(/^# Stopped: the plan was voted down/);
  });

  it('goes on beside a stage that fails, and leaves out what needs it', async () => {
    await start({
      expert: ({ role }) =>
        role === 'security' ? new ToolError('NEXUS_MODEL_REFUSED', 'I will not.') : 'Fine.',
    });
    const answer = await plugin.answer<Answer>('run_pipeline', { task: 'x', template: 'audit' });
    expect(statuses(answer)).toEqual([
      'scope done',
      'security failed',
      'code done',
      'tests done',
      'check left_out',
      'report left_out',
    ]);
    expect(answer.status).toBe('failed');
  });

  it('has fewer stages and a small panel in quick mode, by the strategy that was asked for', async () => {
    const { held } = await start();
    const args = { task: 'Write a poem.', quickMode: true, votingStrategy: 'unanimous' };
    const answer = await plugin.answer<Answer>('run_pipeline', args);
    expect(statuses(answer)).toEqual(['plan done', 'vote approved', 'work done', 'review done']);
    expect(held).toMatchObject([{ quickMode: true, strategy: 'unanimous' }]);
  });

  it('asks nobody where the way to vote is none that there is, also for a change of code', async () => {
    for (const options of [{}, { commands: { test: TEST_COMMAND } }]) {
      const { turns, models } = await start({ options, choices: { strategy: ['by_lot'] } });
      const args = { task: 'Fix the bug in sum.', votingStrategy: 'by_lott' };
      for (const tool of ['run_pipeline', 'run_dev_pipeline']) {
        const { isError, content } = await plugin.call(tool, args);
        expect([isError, content[0]?.text]).toEqual([
          true,
          expect.stringContaining('there is no voting strategy "by_lott"; did you mean by_lot?'),
        ]);
      }
      expect([turns, models.requests]).toEqual([[], []]);
      await plugin.stop();
      repository[Symbol.dispose]();
    }
    await start();
  });

  it('hands a change of code over to a dev pipeline where there are commands', async () => {
    const { turns } = await start({ options: { commands: { test: TEST_COMMAND } } });
    const answer = await plugin.answer<Answer>('run_pipeline', { task: 'Fix the bug in sum.' });
    expect(answer).toMatchObject({
      template: 'dev',
      status: 'done',
      stages: [{ id: 'dev', kind: 'dev', status: 'done' }],
      dev: { checks: [{ before: 'failed', after: 'passed' }] },
    });
    expect(answer.summary).toMatch(/^# Done, on branch `nexus\/fix-the-bug-in-sum-/);
    expect(answer.output).toBe(answer.dev?.changes.branch);
    expect(turns).toEqual([]);
    const run = await plugin.host.runs.get(answer.runId);
    expect(run.children.map(({ kind }) => kind)).toEqual(['workflows.dev-pipeline']);
    expect(await placesOf(plugin, run.kind)).toEqual([expect.any(String)]);
  });

  it('goes on at any machine where it changes nothing', async () => {
    await start({});
    const answer = await plugin.answer<Answer>('run_pipeline', { task: 'Fix the bug in sum.' });
    const { kind } = await plugin.host.runs.get(answer.runId);
    expect(await placesOf(plugin, kind)).toEqual([null]);
  });

  it('says why it changes nothing where there are no commands', async () => {
    await start();
    const answer = await plugin.answer<Answer>('run_pipeline', { task: 'Fix the bug in sum.' });
    expect(answer.notes).toEqual([expect.stringMatching(/no commands .* So nothing is changed/)]);
    expect(statuses(answer)).toEqual([
      'research done',
      'plan done',
      'vote approved',
      'work done',
      'review done',
    ]);
  });

  it('says before it begins that there is no model', async () => {
    repository = fixtureRepository();
    const others = [scriptedExperts(() => 'x'), scriptedVote()];
    const whole = definePlugin({ ...workflows, runs: [...(workflows.runs ?? []), ...others] });
    plugin = await startPlugin(whole, { models: scriptedModels([]), projectRoot: repository.path });
    for (const [tool, args] of [
      ['run_pipeline', { task: 'x' }],
      ['run_dev_pipeline', { task: 'x' }],
      ['execute_spec', { spec: '- x' }],
    ] as const) {
      const result = await plugin.call(tool, args);
      expect([tool, result._meta?.['nexus/error']]).toMatchObject([tool, { code: 'NEXUS_NO_MODEL' }]);
    }
    expect((await plugin.host.runs.list({ limit: 1 })).total).toBe(0);
  });

  it('makes a dry run without a model and without a run', async () => {
    const { models, turns } = await start();
    const answer = await plugin.answer<Answer>('run_pipeline', {
      task: 'Design a new service.',
      dryRun: true,
    });
    expect(answer).toMatchObject({ status: 'dry_run', template: 'greenfield' });
    expect(answer).not.toHaveProperty('runId');
    expect(statuses(answer)).toContain('requirements planned');
    expect([models.requests, turns]).toEqual([[], []]);
    expect((await plugin.host.runs.list({ limit: 1 })).total).toBe(0);
  });
});
