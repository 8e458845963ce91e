import { definePlugin, type VoteCondition } from '@nexus/plugin-sdk';
import { type PluginUnderTest, startPlugin } from '@nexus/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { devTeam, lastText, PLAN, roleOf, scriptedCheck, scriptedVote } from '../../test/dev-team.ts';
import { type FixtureRepository, fixtureRepository, TEST_COMMAND } from '../../test/fixture-repository.ts';
import { ADDS, NOTHING_ADDED, put, SUBTRACTS, SUMS, sumFiles, sumTest } from '../../test/prover.ts';
import { scriptedExperts } from '../../test/scripted-experts.ts';
import type { DevOutput } from '../dev-pipeline/dev-output.ts';
import workflows from '../index.ts';
import type { PipelineOutput } from '../pipeline/pipeline-output.ts';

let plugin: PluginUnderTest;
let repository: FixtureRepository;
afterEach(async () => {
  await plugin.stop();
  repository[Symbol.dispose]();
});

const OPEN: VoteCondition = {
  text: 'The old name still works.',
  by: ['devex'],
  state: 'unknown',
  why: 'The work is still to be done.',
};

async function start(
  state: VoteCondition['state'] | readonly VoteCondition['state'][],
  {
    conditions = [OPEN],
    plan = PLAN as unknown,
    files = undefined as Readonly<Record<string, string>> | undefined,
    team = {} as Parameters<typeof devTeam>[0],
  } = {},
) {
  repository = fixtureRepository(files);
  const ballots = scriptedVote(() => 'approved', conditions);
  const check = scriptedCheck(...[state].flat());
  const experts = scriptedExperts(({ role }) => `${role} did it`);
  const runs = [...(workflows.runs ?? []), ballots, check, experts];
  const models = devTeam({ planner: () => ({ object: plan }), ...team });
  plugin = await startPlugin(definePlugin({ ...workflows, runs }), {
    models,
    projectRoot: repository.path,
    options: { commands: { test: TEST_COMMAND } },
  });
  return { models, ballots: ballots.held, check: check.seen, turns: experts.turns };
}

const develop = (args: object = {}) =>
  plugin.answer<DevOutput & { summary: string }>('run_dev_pipeline', { task: 'Let sum add.', ...args });

describe('a condition under which a plan was approved', () => {
  it('is told to whoever does the work, and checked against the diff and the checks', async () => {
    const { models, ballots, check } = await start('met');
    const { status, vote, summary } = await develop({ qualityGate: 'blocking' });
    expect(status).toBe('done');
    expect(ballots).toMatchObject([{ isBeforeWork: true }]);
    const work = models.requests.find((request) => roleOf(request) === 'implementer');
    expect(lastText(work as never)).toContain('- The old name still works.');
    expect(check).toMatchObject([{ conditions: [{ text: OPEN.text, by: ['devex'] }] }]);
    expect(check[0]?.work).toContain('+export const sum = (a, b) => a + b;');
    expect(check[0]?.work).toContain('test: failed before, passed after');
    expect(vote.conditions).toMatchObject([{ state: 'met', why: 'It was looked at.' }]);
    const told = '- **met**: The old name still works. (devex). It was looked at.';
    expect(vote.summary).toBe(`The vote, as it stands by now.\n${told}`);
    expect(summary.split(told)).toHaveLength(2);
    expect(summary).toContain(`## Vote\n\n${vote.summary}`);
  });

  it('that is not met blocks where the gate does, and is said first where it does not', async () => {
    await start('not_met');
    expect(await develop({ qualityGate: 'blocking' })).toMatchObject({
      status: 'blocked',
      qa: { passed: true, rounds: 3 },
    });
    const { status, summary } = await develop();
    expect(status).toBe('done');
    expect(summary).toMatch(/^# Done, on branch `[^`]+`, but not passed: 1 condition of the vote not met\n/);
  });

  it('that is not met goes back to the developer while rounds are left, with what was seen of it', async () => {
    const { models, check } = await start(['not_met', 'met']);
    const { status, qa, vote } = await develop({ qualityGate: 'blocking' });
    expect({ status, rounds: qa.rounds }).toEqual({ status: 'done', rounds: 2 });
    expect(vote.conditions).toMatchObject([{ state: 'met' }]);
    const again = models.requests.map(lastText).filter((text) => text.includes('was sent back'));
    expect(again[0]).toContain('not met: The old name still works. (It was looked at.)');
    expect(check).toHaveLength(2);
  });

  it('that blocks is what the answer says it is blocked by', async () => {
    await start('not_met');
    const { summary } = await develop({ qualityGate: 'blocking', maxQaIterations: 1 });
    expect(summary).toMatch(/^# Blocked by the quality gate: 1 condition of the vote not met\n/);
    expect(summary).toContain('Passed, but for conditions of the vote, after 1 round');
  });

  it('binds the work where the gate blocks', async () => {
    const { check } = await start('met');
    await develop({ qualityGate: 'blocking' });
    await develop();
    expect(check.map(({ isBinding }) => isBinding)).toEqual([true, false]);
  });

  it('that nobody can tell goes back once, and blocks where the gate does', async () => {
    const { models, check } = await start('unknown');
    const answer = await develop({ qualityGate: 'blocking' });
    expect(answer).toMatchObject({
      ...{ status: 'blocked', qa: { passed: true, rounds: 2 } },
      vote: { conditions: [{ state: 'unknown' }] },
    });
    expect(answer.summary).toMatch(
      /^# Blocked by the quality gate: 1 condition of the vote that nobody can tell\n/,
    );
    const again = models.requests.map(lastText).filter((text) => text.includes('was sent back'));
    expect(again[0]).toContain('unknown: The old name still works. (It was looked at.)');
    expect(check).toHaveLength(2);
  });

  it('that nobody can tell is said first where the gate advises', async () => {
    await start('unknown');
    const { status, qa, summary } = await develop();
    expect({ status, rounds: qa.rounds }).toEqual({ status: 'done', rounds: 1 });
    expect(summary).toMatch(/^# Done, on branch `[^`]+`, but not passed: 1 condition of the vote that/);
  });

  it('is checked with all that was run, the new tests on the old code too', async () => {
    const implementer = (_: unknown, count: number) =>
      count === 1 ? { tools: [put('sum.js', SUMS), sumTest(NOTHING_ADDED, ADDS)] } : 'Done.';
    const { check } = await start('met', { files: sumFiles(SUBTRACTS), team: { implementer } });
    await develop({ qualityGate: 'blocking' });
    expect(check[0]?.work).toContain('test: passed before, passed after');
    expect(check[0]?.work).toContain(
      'test, run with the tests of the change (sum.test.js) and the old code: failed\n',
    );
    expect(check[0]?.work).toContain(
      'Run with the new tests and the old code: `test` failed. Run with the change: passed.',
    );
  });

  it('of a pipeline of stages is told to those who work and checked against what they did', async () => {
    const { turns, check } = await start('not_met');
    const answer = await plugin.answer<PipelineOutput & { summary: string }>('run_pipeline', {
      task: 'Write the handbook.',
      template: 'general',
    });
    const told = turns.filter(({ assignment }) => JSON.stringify(assignment).includes(OPEN.text));
    expect(told.length).toBeGreaterThan(0);
    expect(check).toHaveLength(1);
    expect(check[0]?.work).toContain('did it');
    expect(answer.status).toBe('blocked');
    expect(answer.summary).toMatch(/^# Blocked: a condition of the vote is not met\n\n[^\n]* did it/);
    expect(answer.stages.find(({ kind }) => kind === 'vote')).toMatchObject({
      ...{
        conditions: [{ state: 'not_met' }],
        output: expect.stringMatching(/^The vote, as it stands by now\./),
      },
    });
  });

  it('costs nothing where there is none', async () => {
    const { check } = await start('met', { conditions: [] });
    await develop();
    expect(check).toEqual([]);
  });
});

it('a plan of one task is voted on by three, one of more by all with a stake', async () => {
  const [task] = PLAN.tasks;
  // Few short ones would be done as one.
  const long = { ...task, description: 'Say it again. '.repeat(200) };
  const { ballots } = await start('met', { plan: { ...PLAN, tasks: [long, { ...long, title: 'Say so' }] } });
  await develop();
  expect(ballots.map(({ quickMode }) => quickMode)).toEqual([false]);
  await plugin.stop();
  repository[Symbol.dispose]();
  const { ballots: small } = await start('met');
  await develop();
  expect(small.map(({ quickMode }) => quickMode)).toEqual([true]);
});
