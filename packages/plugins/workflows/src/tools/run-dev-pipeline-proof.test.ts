import { rmSync } from 'node:fs';
import { definePlugin } from '@nexus/plugin-sdk';
import { leaveRun, type PluginUnderTest, type ScriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, describe, expect } from 'vitest';
import { byTurns, it, slowly } from '../../../../../vitest.slowly.ts';
import { devTeam, lastText, roleOf, scriptedVote } from '../../test/dev-team.ts';
import { type FixtureRepository, fixtureRepository, TEST_COMMAND } from '../../test/fixture-repository.ts';
import { ADDS, NOTHING_ADDED, put, SUBTRACTS, SUMS, sumFiles, sumTest } from '../../test/prover.ts';
import type { DevOutput } from '../dev-pipeline/dev-output.ts';
import workflows from '../index.ts';
import { findRepository } from '../worktree/find-repository.ts';

type Answer = DevOutput & { readonly runId: string; readonly summary: string };

let plugin: PluginUnderTest;
let repository: FixtureRepository;
let dataDir: string | undefined;
afterEach(async () => {
  await plugin.stop();
  repository[Symbol.dispose]();
  if (dataDir !== undefined) rmSync(dataDir, { recursive: true, force: true });
  dataDir = undefined;
});

const FILES = sumFiles(SUBTRACTS);

const task = 'Let sum add.';

async function start(
  models: ScriptedModels,
  also: { readonly dataDir?: string; readonly files?: typeof FILES; readonly missing?: string[] } = {},
) {
  repository = fixtureRepository(also.files ?? FILES);
  const runs = [...(workflows.runs ?? []), scriptedVote(undefined, [], also.missing)];
  plugin = await startPlugin(definePlugin({ ...workflows, runs }), {
    models,
    projectRoot: repository.path,
    options: { commands: { test: TEST_COMMAND } },
    ...(also.dataDir === undefined ? {} : { dataDir: also.dataDir }),
  });
}

/** Does one thing a turn: what is written in each, and an answer after it. */
const implementerOf = (...turns: readonly (readonly ReturnType<typeof put>[])[]) =>
  devTeam({
    implementer: (_, count) => (count % 2 === 1 ? { tools: [...(turns[(count - 1) / 2] ?? [])] } : 'Done.'),
  });

const promptsOf = (models: ScriptedModels, role: string) =>
  models.requests.filter((request) => roleOf(request) === role).map(lastText);

describe('a change that takes back what tests that were there ask for', () => {
  const NAMED = "assert.equal(sum.name, 'sum');";
  const files = { ...FILES, 'sum.test.js': sumTest(NOTHING_ADDED, NAMED).input.text };
  const UNNAMED = put('sum.js', 'export const sum = (function add(a, b) { return a + b; });\n');
  const weakened = sumTest(NOTHING_ADDED, 'assert.ok(sum.name);', ADDS);
  const gone = sumTest(NOTHING_ADDED, ADDS);
  const kept = sumTest(NOTHING_ADDED, NAMED, ADDS);
  const RED = 'Run with the change and the tests that were there, as they were: `test` did not pass.';
  const LESS = `Tests that were there ask for less, in 1 line: sum.test.js: ${NAMED}`;

  const teamOf = (oldTests: string, ...turns: readonly (readonly ReturnType<typeof put>[])[]) =>
    devTeam({
      implementer: (_, count) => (count % 2 === 1 ? { tools: [...(turns[(count - 1) / 2] ?? [])] } : 'Done.'),
      reviewer: () => ({ object: { passes: true, summary: 'It does it.', findings: [], oldTests } }),
    });

  byTurns([
    ['breaks it and changes its test', [UNNAMED, weakened], RED],
    ['breaks it and takes its test away', [UNNAMED, gone], RED],
    ['breaks nothing, and lets its test ask for less', [put('sum.js', SUMS), weakened], LESS],
  ] as const)('is not done where it %s, however its reviewer passes it', async (_, writes, why) => {
    for (const said of ['ask_for_what_holds', 'unsure']) {
      await start(teamOf(said, writes), { files });
      const args = { task, qualityGate: 'blocking', maxQaIterations: 1 };
      const { status, qa, summary } = await plugin.answer<Answer>('run_dev_pipeline', args);
      expect(status).toBe('blocked');
      expect(qa).toMatchObject({ passed: false, oldTests: { isAllowed: false, why } });
      expect(summary).toMatch(
        /^# Blocked by the quality gate: it takes back what tests that were there ask for\n/,
      );
      await plugin.stop();
      repository[Symbol.dispose]();
    }
    await start(teamOf('asked_for_the_fault', writes), { files });
    const { status, qa } = await plugin.answer<Answer>('run_dev_pipeline', { task, qualityGate: 'blocking' });
    expect(status).toBe('done');
    expect(qa).toMatchObject({ passed: true, rounds: 1, oldTests: { isAllowed: true } });
  });

  it('is told to its reviewer with what was printed, and goes back to its developer', async () => {
    const models = teamOf('unsure', [UNNAMED, weakened], [put('sum.js', SUMS), kept]);
    await start(models, { files });
    const answer = await plugin.answer<Answer>('run_dev_pipeline', { task, qualityGate: 'blocking' });
    expect(answer).toMatchObject({ status: 'done', qa: { rounds: 2 } });
    expect(answer.qa.oldTests).toBeUndefined();
    const [first = '', second = ''] = promptsOf(models, 'reviewer');
    expect(first).toContain(RED);
    expect(first).toContain('AssertionError');
    expect(second).not.toContain('as they were');
    const again = promptsOf(models, 'implementer').find((prompt) => prompt.includes('was sent back'));
    expect(again).toMatch(/leave tests that were there as they are, and write yours beside them/);
  });

  slowly('is said in the first line where the gate advises', async () => {
    await start(teamOf('unsure', [UNNAMED, weakened]), { files });
    const { summary } = await plugin.answer<Answer>('run_dev_pipeline', { task, maxQaIterations: 1 });
    expect(summary).toMatch(
      /^# Done, on branch `[^`]+`, but not passed: it takes back what tests that were there ask for\n/,
    );
  });
});

describe('the proof of a dev pipeline', () => {
  it('is that its tests are red on the old code and green after, both run', async () => {
    const models = implementerOf([put('sum.js', SUMS), sumTest(NOTHING_ADDED, ADDS)]);
    await start(models);
    const answer = await plugin.answer<Answer>('run_dev_pipeline', { task, qualityGate: 'blocking' });
    const why = 'Run with the new tests and the old code: `test` failed. Run with the change: passed.';
    expect(answer).toMatchObject({
      status: 'done',
      qa: { passed: true, rounds: 1, proof: { verdict: 'proved', why, tests: ['sum.test.js'] } },
      checks: [{ before: 'passed', after: 'passed' }],
    });
    expect(answer.summary).toContain(why);
    expect(promptsOf(models, 'reviewer')[0]).toContain(why);
    expect(repository.git('show', `${answer.changes.branch}:sum.js`)).toBe(SUMS);
  });

  it('sends a test that is green on the old code back to its developer', async () => {
    const models = implementerOf(
      [put('sum.js', SUMS), sumTest(NOTHING_ADDED, NOTHING_ADDED)],
      [sumTest(ADDS)],
    );
    await start(models);
    const answer = await plugin.answer<Answer>('run_dev_pipeline', { task });
    expect(answer).toMatchObject({ status: 'done', qa: { rounds: 2, proof: { verdict: 'proved' } } });
    const again = promptsOf(models, 'implementer').find((prompt) => prompt.includes('was sent back'));
    expect(again).toContain(
      'The new tests prove nothing: run with them and the old code, `test` passed too.',
    );
    // It is told by which test, and shown the change and what it changed as it stands.
    expect(again).toMatch(/the tests that prove nothing[^\n]*\n+[^\n]*\n?sum\.test\.js\n/);
    expect(again).toContain('+export const sum = (a, b) => a + b;');
    expect(again).toContain('1\texport const sum = (a, b) => a + b;');
    // Nobody is paid for judging what goes back anyhow.
    expect(promptsOf(models, 'reviewer')).toHaveLength(1);
    // On the record of the model that wrote it, each round of it.
    expect(models.judged.map(({ isGood, source, by }) => [isGood, source.split(':')[0], by])).toEqual([
      [false, 'The new tests prove nothing', { model: 'scripted:model', category: 'code' }],
      [true, 'Run with the new tests and the old code', { model: 'scripted:model', category: 'code' }],
    ]);
  });

  slowly('sends it back once, and then says that it proves nothing', async () => {
    const idle = sumTest(NOTHING_ADDED, NOTHING_ADDED);
    const models = implementerOf([put('sum.js', SUMS), idle]);
    await start(models);
    const answer = await plugin.answer<Answer>('run_dev_pipeline', { task, maxQaIterations: 5 });
    expect(answer.qa).toMatchObject({ rounds: 2, proof: { verdict: 'proves_nothing' } });
    expect(answer.summary).toContain('The new tests prove nothing');
    expect(answer.summary).not.toContain('Run with the change: passed');
  });

  slowly('counts no test that was changed until it agrees with the old code', async () => {
    const files = { ...FILES, 'sum.test.js': sumTest(ADDS).input.text };
    const models = implementerOf([sumTest(NOTHING_ADDED), put('note.md', 'Mended.')]);
    await start(models, { files });
    const answer = await plugin.answer<Answer>('run_dev_pipeline', { task, maxQaIterations: 1 });
    expect(answer).toMatchObject({
      checks: [{ before: 'failed', after: 'passed' }],
      qa: { proof: { verdict: 'proves_nothing' } },
    });
  });

  it('goes with what its developer says, in which a name that is nowhere is marked', async () => {
    const said = 'sum.js:1 adds, as `assert.equal()` shows; test/none.test.js:3 and `multiply()` too.';
    const models = devTeam({
      implementer: (_, count) => (count === 1 ? { tools: [put('sum.js', SUMS), sumTest(ADDS)] } : said),
    });
    await start(models);
    const { tasks } = await plugin.answer<Answer>('run_dev_pipeline', { task });
    expect(tasks).toMatchObject([
      {
        output:
          'sum.js:1 adds, as `assert.equal()` shows; test/none.test.js:3 (not found) and `multiply()` (not found) too.',
        missing: ['test/none.test.js:3', 'multiply()'],
        basis: 'believed',
      },
    ]);
  });

  slowly('goes with what its developer ran, by the record, whatever it says of it', async () => {
    const said = 'The whole suite is green: 12 of 12.';
    const run = { name: 'run_command', input: { name: 'test' } };
    const others = [{ name: 'run_command', input: { name: 'deploy' } }];
    for (const [tools, ran, line] of [
      [[put('sum.js', SUMS)], [], 'Nothing was run by whoever did it.'],
      [[put('sum.js', SUMS), ...others], [], 'Nothing was run by whoever did it.'],
      [[put('sum.js', SUMS), run], ['test: passed, exit 0'], 'Run by whoever did it: test: passed, exit 0.'],
    ] as const) {
      await start(devTeam({ implementer: (_, count) => (count === 1 ? { tools: [...tools] } : said) }));
      const answer = await plugin.answer<Answer>('run_dev_pipeline', { task, maxQaIterations: 1 });
      const output = ran.length > 0 ? said : 'The whole suite is green: 12 of 12 (nothing was run).';
      expect(answer.tasks).toMatchObject([{ ran, output }]);
      expect(answer.summary).toContain(`\n\n${line}\n\n${output}`);
      await plugin.stop();
      repository[Symbol.dispose]();
    }
    await start(devTeam());
  });

  it('goes with what its reviewer says, marked alike, where it is told and where it is mended', async () => {
    const findings = [
      { file: 'sum.js', line: 1, claim: 'As `multiply()` shows.' },
      { file: 'src/none.js', line: 9, claim: 'It is wrong.' },
    ];
    const models = devTeam({
      implementer: (_, count) => (count === 1 ? { tools: [put('sum.js', SUMS), sumTest(ADDS)] } : 'Done.'),
      reviewer: () => ({
        object: { passes: false, summary: 'See src/gone.js:3.', findings, oldTests: 'unsure' },
      }),
    });
    await start(models);
    const { qa } = await plugin.answer<Answer>('run_dev_pipeline', { task, maxQaIterations: 2 });
    const marked = {
      summary: 'See src/gone.js:3 (not found).',
      findings: [
        { file: 'sum.js', claim: 'As `multiply()` (not found) shows.' },
        { file: 'src/none.js', claim: 'It is wrong. (src/none.js:9: not found)' },
      ],
    };
    expect(qa.review).toMatchObject(marked);
    const again = promptsOf(models, 'implementer').find((prompt) => prompt.includes('was sent back'));
    expect(again).toContain('src/none.js:9: not found');
  });

  it('goes with what its plan says once it is carried out: what the change made is there', async () => {
    const plan = {
      summary: 'As src/gone.js:3 has it.',
      tasks: [
        { title: 'Add', description: 'See `sum.js` and lib/made.js, not lib/none.js.', files: ['sum.js'] },
      ],
      risks: ['lib/other.js breaks.'],
      verification: 'By `sum.test.js`.',
    };
    const models = devTeam({
      planner: () => ({ object: plan }),
      implementer: (_, count) => (count === 1 ? { tools: [put('lib/made.js', SUMS)] } : 'Done.'),
    });
    await start(models, { missing: ['lib/none.js'] });
    const answer = await plugin.answer<Answer>('run_dev_pipeline', { task, maxQaIterations: 1 });
    expect(answer.plan).toMatchObject({
      summary: 'As src/gone.js:3 (not found) has it.',
      tasks: [{ description: 'See `sum.js` and lib/made.js, not lib/none.js (not found).' }],
      risks: ['lib/other.js (not found) breaks.'],
      verification: 'By `sum.test.js`.',
    });
    // Whoever works is told the plan as it was voted on, and what the voters were told is not there.
    expect(promptsOf(models, 'implementer')[0]).toMatch(
      /what the plan names, and is not there as things are[^\n]*\n[\s\S]*lib\/none\.js/,
    );
    expect(promptsOf(models, 'implementer')[0]).toContain('not lib/none.js.');
  });

  slowly(
    'is looked up in no review of a run that an earlier version left, which goes on as it began',
    async () => {
      using own = fixtureRepository(FILES);
      const { signal } = new AbortController();
      const scope = { roots: [{ path: own.path, name: 'own' }], privatePaths: [], projectRoot: own.path };
      const input = {
        ...{ task, setup: [], checks: ['test'], qualityGate: 'blocking', maxSteps: 9 },
        ...{ maxVoteIterations: 1, maxQaIterations: 1 },
        repository: await findRepository('.', scope, signal),
      };
      const kind = { name: 'workflows.dev-pipeline', version: 2, place: 'machine' } as const;
      const left = await leaveRun({ kind, input, steps: [] });
      dataDir = left.dataDir;
      const models = devTeam({
        implementer: (_, count) => (count === 1 ? { tools: [put('sum.js', SUMS), sumTest(ADDS)] } : 'Done.'),
        reviewer: () => ({ object: { passes: true, summary: 'See src/gone.js:3.', findings: [] } }),
      });
      await start(models, left);
      const answer = await plugin.resume<Answer>(left.id);
      expect(answer).toMatchObject({ runId: left.id, status: 'done', qa: { passed: true } });
      expect(answer.qa.review?.summary).toBe('See src/gone.js:3.');
    },
  );
});
