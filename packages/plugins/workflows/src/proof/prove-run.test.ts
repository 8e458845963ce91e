import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ProveInput, type ProveOutput, prove } from '@nexus/plugin-sdk';
import { type PluginUnderTest, type ScriptedModels, scriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { lastText } from '../../test/dev-team.ts';
import { type FixtureRepository, fixtureRepository, TEST_COMMAND } from '../../test/fixture-repository.ts';
import {
  ADDS,
  NOTHING_ADDED,
  prover,
  put,
  SUBTRACTS,
  SUMS,
  sumFiles,
  sumTest,
  type Turns,
} from '../../test/prover.ts';
import workflows from '../index.ts';

let plugin: PluginUnderTest;
let repository: FixtureRepository;
afterEach(async () => {
  await plugin.stop();
  repository[Symbol.dispose]();
});

const proverOf = (...turns: Turns) => {
  const answer = prover(...turns);
  return scriptedModels((request) => answer(request) ?? new Error('somebody else was asked'));
};

interface Given {
  readonly models: ScriptedModels;
  readonly sum?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: object;
}

async function start({ models, sum = SUBTRACTS, files = {}, options = {} }: Given) {
  repository = fixtureRepository({ ...sumFiles(sum), ...files });
  plugin = await startPlugin(workflows, {
    models,
    projectRoot: repository.path,
    options: { commands: { test: TEST_COMMAND }, ...options },
  });
}

async function proved(input: Omit<ProveInput, 'claim'> & { readonly claim?: string }): Promise<ProveOutput> {
  const { id } = await plugin.host.runs.start(prove, { claim: 'sum(2, 3) is no 5.', ...input }, {});
  const { output, status, error } = await plugin.host.runs.wait(id, { signal: new AbortController().signal });
  expect(error).toBeUndefined();
  expect(status).toBe('completed');
  return output as ProveOutput;
}

const branches = () => repository.git('branch', '--list', '--format=%(refname:short)', 'nexus/*').trim();
const leftovers = () => {
  const folder = join(plugin.host.dataDir, 'workflows', 'worktrees');
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe('a fault', () => {
  it('is shown by a test that fails as things are, of which nothing is left in the repository', async () => {
    await start({ models: proverOf([sumTest(ADDS)]) });
    const before = repository.snapshot();
    expect(await proved({ kind: 'fails' })).toEqual({
      verdict: 'shown',
      basis: 'ran',
      why: 'Run as things are, with its test: `test` failed.',
      tests: ['sum.test.js'],
      diff: expect.stringContaining('+assert.equal(sum(2, 3), 5'),
      output: expect.stringContaining('two and three'),
    });
    expect(branches()).toBe('');
    expect(leftovers()).toEqual([]);
    expect(repository.snapshot()).toEqual(before);
  });

  it('is told to its author with what stands around its place, and how the nearest test begins', async () => {
    const long = Array.from({ length: 60 }, (_, at) => `export const n${at + 1} = ${at + 1};`).join('\n');
    const claim = 'lib/long.js:40 is one too few.';
    const nearer = "import assert from 'node:assert';\n// Of long.\n";
    const files = { 'lib/long.js': long, 'lib/long.test.js': nearer, 'a.test.js': '// Of another.\n' };
    const models = proverOf([sumTest(ADDS)]);
    await start({ models, files });
    await proved({ kind: 'fails', claim });
    const [first = { prompt: '' }] = models.requests;
    expect(lastText(first)).toContain('20\texport const n20 = 20;');
    expect(lastText(first)).toContain('60\texport const n60 = 60;');
    expect(lastText(first)).not.toContain('n19 = 19;');
    expect(lastText(first)).toContain('// Of long.');
    expect(lastText(first)).not.toContain('// Of another.');
    const asked = models.requests.length;
    await proved({ kind: 'holds', claim });
    expect(lastText(models.requests[asked] ?? { prompt: '' })).not.toContain('n20 = 20;');
  });

  it('is shown in one call of its author, who ends its work beside its edits, and one of its judge', async () => {
    const models = proverOf([sumTest(ADDS), { name: 'finish', input: {} }]);
    await start({ models });
    expect(await proved({ kind: 'fails' })).toMatchObject({ verdict: 'shown' });
    expect(models.requests).toHaveLength(2);
  });

  it('is not shown by a test that is green as things are: its author is told once', async () => {
    const idle = sumTest(NOTHING_ADDED, NOTHING_ADDED);
    const models = proverOf([idle], [put('other.test.js', '')]);
    await start({ models });
    expect(await proved({ kind: 'fails' })).toMatchObject({
      verdict: 'not_shown',
      basis: 'believed',
      why: 'Its test passes as things are, so it shows no fault.',
      against: 'Its test passes as things are, so it shows no fault.',
    });
    expect(models.requests).toHaveLength(4);
    expect(lastText(models.requests[2] ?? { prompt: '' })).toContain(
      'What you left in the worktree does not show it.',
    );
  });

  it('is not shown by code that its author broke', async () => {
    const models = proverOf([put('sum.js', 'export const sum = () => 0;\n'), sumTest(NOTHING_ADDED, '')]);
    await start({ models });
    expect(await proved({ kind: 'fails' })).toMatchObject({ verdict: 'not_shown' });
  });

  it('is not shown where its author writes no test, and says why', async () => {
    await start({ models: proverOf([]) });
    const { verdict, why, against } = await proved({ kind: 'fails' });
    const said = 'No test was written that shows it. Its author said: That is it.';
    expect({ verdict, why, against }).toEqual({ verdict: 'not_shown', why: said, against: said });
  });

  it('is mended on a branch of its own, where the test is red before and green after', async () => {
    await start({ models: proverOf([sumTest(NOTHING_ADDED, ADDS), put('sum.js', SUMS)]) });
    const { verdict, why, branch = '' } = await proved({ kind: 'mend' });
    expect({ verdict, why }).toEqual({
      verdict: 'shown',
      why: 'Run as things are, with its test: `test` failed. Run with the mend: passed.',
    });
    expect(branches()).toBe(branch);
    expect(repository.git('show', `${branch}:sum.js`)).toBe(SUMS);
  });

  it('is not mended where the test stays red, and no branch says so', async () => {
    await start({
      models: proverOf([sumTest(ADDS), put('sum.js', 'export const sum = () => 1;\n')]),
    });
    expect(await proved({ kind: 'mend' })).toMatchObject({
      verdict: 'not_shown',
      why: expect.stringContaining('With the mend it did not pass.'),
    });
    expect(branches()).toBe('');
  });
});

describe('what holds', () => {
  const broken = put('sum.js', SUBTRACTS);

  it('is shown by a test that is green, and red once the code is broken', async () => {
    await start({ models: proverOf([sumTest(ADDS), broken]), sum: SUMS });
    expect(await proved({ kind: 'holds' })).toMatchObject({
      verdict: 'shown',
      basis: 'ran',
      why: 'Run as things are: its test passed. Run with the code broken there: `test` failed, and passed without the test.',
    });
    expect(branches()).toBe('');
  });

  it('is refuted by a test that is red as things are', async () => {
    await start({ models: proverOf([sumTest(ADDS), put('sum.js', 'export {};\n')]) });
    expect(await proved({ kind: 'holds' })).toMatchObject({
      verdict: 'refuted',
      basis: 'ran',
      output: expect.stringContaining('two and three'),
    });
  });

  it.each([
    ['stays green with the code broken', [sumTest(NOTHING_ADDED, ''), broken], 'with the code broken too'],
    ['was never seen to be red', [sumTest(ADDS)], 'nothing shows that it could fail'],
  ])('is not shown by a test that %s', async (_, writes, why) => {
    await start({ models: proverOf(writes), sum: SUMS });
    expect(await proved({ kind: 'holds' })).toMatchObject({
      verdict: 'not_shown',
      why: expect.stringContaining(why),
    });
  });
});

describe('a fault of a change', () => {
  const change = [
    'diff --git a/sum.js b/sum.js',
    '--- a/sum.js',
    '+++ b/sum.js',
    '@@ -1 +1 @@',
    '-export const sum = (a, b) => a + b;',
    '+export const sum = (a, b) => a - b;',
    '',
  ].join('\n');
  const OF_CHANGE = 'Run as things are, with its test: `test` failed. Run without the change: passed.';

  it.each([
    ['is not committed yet', SUMS],
    ['the last commit has', SUBTRACTS],
  ])('that %s is red with it and green without', async (_, sum) => {
    await start({ models: proverOf([sumTest(ADDS)]), sum });
    const { why, diff } = await proved({ kind: 'fails', change });
    expect(why).toBe(OF_CHANGE);
    expect(diff).not.toContain('a + b');
    expect(branches()).toBe('');
  });

  it('that the last commit knows nothing of is not run', async () => {
    await start({ models: proverOf([]), sum: 'export const sum = 1;\n' });
    expect(await proved({ kind: 'fails', change })).toMatchObject({
      verdict: 'not_run',
      why: 'Nothing was run: the last commit neither has the change nor can take it.',
    });
    expect(leftovers()).toEqual([]);
  });
});

it.each([
  ['no command is allowed', { commands: {} }, 'the config allows no command'],
  [
    'setup fails',
    {
      commands: { test: TEST_COMMAND, install: [process.execPath, '-e', 'process.exit(3)'] },
      setup: ['install'],
    },
    'could not be made ready',
  ],
  [
    'every check is red as things are',
    { commands: { test: [process.execPath, '-e', 'process.exit(1)'] } },
    '`test` did not pass before anything was changed',
  ],
])('nothing is run, no model asked and nothing fails where %s', async (_, options, why) => {
  const models = proverOf([]);
  await start({ models, options });
  expect(await proved({ kind: 'fails' })).toMatchObject({
    verdict: 'not_run',
    why: expect.stringContaining(why),
  });
  expect(models.requests).toEqual([]);
});
