// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code of a project is written like that
import { type ProveInput, type ProveOutput, prove } from '@nexus/plugin-sdk';
import { type PluginUnderTest, type ScriptedModels, scriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, describe, expect } from 'vitest';
import { byTurns, it, slowly } from '../../../../../vitest.slowly.ts';
import { lastText } from '../../test/dev-team.ts';
import { type FixtureRepository, fixtureRepository } from '../../test/fixture-repository.ts';
import { type JudgedProof, judgedProver, put, type Turns } from '../../test/prover.ts';
import workflows from '../index.ts';
import { PROOF_JUDGE } from './prompts.ts';

let plugin: PluginUnderTest;
let repository: FixtureRepository;
afterEach(async () => {
  await plugin.stop();
  repository[Symbol.dispose]();
});

const HEAD = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";
const PARSE = [
  'export function parse(text) {',
  '  const cents = Math.round(Math.abs(Number(text)) * 100);',
  "  return text.startsWith('-') ? -cents : cents;",
  '}',
  'export function format(cents) {',
  "  const sign = cents < 0 ? '-' : '';",
  '  return `${sign}${(Math.abs(cents) / 100).toFixed(2)}`;',
  '}',
  '',
].join('\n');
const SPLIT = [
  'export function split(amount, n) {',
  '  const base = Math.floor(amount / n);',
  '  const rest = amount - base * n;',
  '  return Array.from({ length: n }, (_, i) => (i <= rest ? base + 1 : base));',
  '}',
  'export const sum = (parts) => parts.reduce((a, b) => a + b, 0);',
  '',
].join('\n');
const SPLIT_WELL = SPLIT.replace('i <= rest', 'i < rest');
const OLD_TEST = [
  `${HEAD}import { parse, format } from '../src/index.js';`,
  "test('parses', () => assert.equal(parse('-0.5'), -50));",
  "test('formats', () => assert.equal(format(-5), '-0.05'));",
  '',
].join('\n');
const FILES = {
  'package.json': '{ "type": "module" }\n',
  'src/parse.js': PARSE,
  'src/split.js': SPLIT,
  'src/index.js': "export { parse, format } from './parse.js';\nexport { split, sum } from './split.js';\n",
  'test/parse.test.js': OLD_TEST,
};
const SIGNLESS = PARSE.replace("cents < 0 ? '-' : ''", "''");

const written = (body: string, from = '../src/index.js', names = '{ parse, format, split, sum }') =>
  put('test/f.test.js', `${HEAD}import ${names} from '${from}';\ntest('f', () => {${body}});\n`);
const ADDS_UP = written('assert.equal(sum(split(10, 3)), 10);');

const THIS: JudgedProof = { shows: 'this', why: 'It is what is said.' };
const ELSE: JudgedProof = { shows: 'something_else', why: 'It asks for another thing.' };

interface Given {
  readonly turns: Turns;
  readonly judge?: JudgedProof;
  readonly files?: Readonly<Record<string, string>>;
}

let models: ScriptedModels;
async function proved(input: ProveInput, { turns, judge = THIS, files = {} }: Given): Promise<ProveOutput> {
  repository = fixtureRepository({ ...FILES, ...files });
  const answer = judgedProver(() => judge, ...turns);
  models = scriptedModels((request) => answer(request) ?? new Error('somebody else was asked'));
  const options = { commands: { test: [process.execPath, '--test'] } };
  plugin = await startPlugin(workflows, { models, projectRoot: repository.path, options });
  const { id } = await plugin.host.runs.start(prove, input, {});
  const { output, error } = await plugin.host.runs.wait(id, { signal: new AbortController().signal });
  expect(error).toBeUndefined();
  return output as ProveOutput;
}

const judges = () => models.requests.filter(({ system }) => system?.includes(PROOF_JUDGE)).map(lastText);
const branches = () => repository.git('branch', '--list', '--format=%(refname:short)', 'nexus/*').trim();

const SIGN: ProveInput = { kind: 'fails', claim: 'format(-5) gives 0.05, src/parse.js:6; should be -0.05' };
const SUM: ProveInput = { kind: 'mend', claim: 'split(10, 3) sums to 11; src/split.js:4 should give 10' };

describe('a claim that does not hold', () => {
  byTurns([
    ['a file that is not there', written("assert.equal(format(-5), '-0.05');", '../src/format.js')],
    [
      'an export that is not there',
      written("assert.equal(formatCents(-5), '-0.05');", '../src/index.js', '{ formatCents }'),
    ],
    [
      'a function that is not there',
      written("assert.equal(m.formatCents(-5), '-0.05');", '../src/index.js', '* as m'),
    ],
    ['a fault of syntax', written("assert.equal(format(-5), '-0.05';")],
    [
      'a fixture that is not there',
      written("assert.equal(format(-5), readFileSync('f.txt', 'utf8'));", 'node:fs', '{ readFileSync }'),
    ],
  ])(
    'is not shown by a test that is red for %s: its author is told, and no judge is asked',
    async (_, test) => {
      const outcome = await proved(SIGN, { turns: [[test], [test]] });
      expect(outcome).toMatchObject({ verdict: 'not_shown', basis: 'believed' });
      expect(outcome.why).toContain('could not be loaded or lacks what it names');
      expect(models.requests).toHaveLength(4);
      expect(lastText(models.requests[2] ?? { prompt: '' })).toContain(
        'could not be loaded or lacks what it names',
      );
      expect(judges()).toEqual([]);
    },
  );

  byTurns([
    ['turned round', "assert.notEqual(format(-5), '-0.05');"],
    ['mistyped', "assert.equal(format(-5), '-0,05');"],
  ])(
    'is not shown by an assertion that is %s: who did not write it sees it, and the code',
    async (_, body) => {
      const outcome = await proved(SIGN, { turns: [[written(body)]], judge: ELSE });
      expect(outcome).toMatchObject({ verdict: 'not_shown', basis: 'believed' });
      expect(outcome.why).toContain(
        'Who did not write it says that this does not show it: It asks for another thing.',
      );
      const [asked = ''] = judges();
      for (const seen of [
        SIGN.claim,
        body,
        "const sign = cents < 0 ? '-' : '';",
        'AssertionError',
        '`test` failed',
      ])
        expect(asked).toContain(seen);
      expect(asked).not.toContain('export function split');
    },
  );

  slowly('is not shown where who judges it can’t tell', async () => {
    const turns = [[written("assert.equal(format(-5), '0.05');")]];
    expect(await proved(SIGN, { turns, judge: { shows: 'unsure', why: 'Who knows.' } })).toMatchObject({
      verdict: 'not_shown',
    });
  });
});

it('a claim that holds is shown where who did not write its test says so', async () => {
  const turns = [[ADDS_UP]];
  expect(await proved({ ...SUM, kind: 'fails' }, { turns })).toMatchObject({
    verdict: 'shown',
    basis: 'ran',
  });
  expect(judges()).toHaveLength(1);
});

describe('a fault is not mended', () => {
  const mended = put('src/split.js', SPLIT_WELL);
  const notMended = async (turn: Turns[number], given: Partial<Given> = {}) => {
    const outcome = await proved(SUM, { turns: [turn, turn], ...given });
    expect(outcome).toMatchObject({ verdict: 'not_shown', basis: 'believed' });
    expect(branches()).toBe('');
    return outcome.why;
  };

  slowly('by a new module beside it, with a test of that alone', async () => {
    const safe = put('src/safe.js', SPLIT_WELL);
    const why = await notMended([
      safe,
      written('assert.equal(sum(split(10, 3)), 10);', '../src/safe.js', '{ split, sum }'),
    ]);
    expect(why).toContain('could not be loaded');
  });

  slowly('by a new module that its test alone loads, if it is there', async () => {
    const safe = put('src/safe.js', SPLIT_WELL);
    const body =
      "const m = await import('../src/safe.js').catch(() => ({})); assert.equal(typeof m.split, 'function');";
    const test = put('test/f.test.js', `${HEAD}test('f', async () => {${body}});\n`);
    expect(await notMended([safe, test])).toContain('changes nothing of the code that was there');
    expect(judges()).toEqual([]);
  });

  slowly('by something else that is added', async () => {
    const index = put('src/index.js', `${FILES['src/index.js']}export const VERSION = '1';\n`);
    const why = await notMended(
      [index, written("assert.equal(typeof m.VERSION, 'string');", '../src/index.js', '* as m')],
      { judge: ELSE },
    );
    expect(why).toContain('Who did not write it says that this does not show it');
    expect(judges()[0]).toContain("+export const VERSION = '1';");
  });

  slowly('where a test that was there is written over', async () => {
    const over = put('test/parse.test.js', written('assert.equal(sum(split(10, 3)), 10);').input.text);
    const why = await notMended([over, mended], { judge: { ...THIS, oldTests: 'ask_for_what_holds' } });
    expect(why).toContain(
      "Tests that were there ask for less, in 2 lines: test/parse.test.js: test('parses'",
    );
    expect(why).toContain('leave tests that were there as they are');
  });

  it('where a mend breaks what the tests that were there hold, whatever becomes of these', async () => {
    const over = put('test/parse.test.js', written('assert.equal(sum(split(10, 3)), 10);').input.text);
    const why = await notMended([over, mended, put('src/parse.js', SIGNLESS)], {
      judge: { ...THIS, oldTests: 'unsure' },
    });
    expect(why).toContain(
      'Run with the change and the tests that were there, as they were: `test` did not pass.',
    );
  });

  slowly('where it breaks what they hold by way of what they compare with', async () => {
    const before = OLD_TEST.replace("parse('-0.5'), -50)", "parse('-0.5'), wanted)");
    const files = { 'test/parse.test.js': `${before}const wanted = -50;\n` };
    const other = put('test/parse.test.js', `${before}const wanted = 50;\n`);
    const signless = put('src/parse.js', PARSE.replace("text.startsWith('-') ? -cents : cents", 'cents'));
    const judge: JudgedProof = { ...THIS, oldTests: 'ask_for_what_holds' };
    const why = await notMended([ADDS_UP, other, mended, signless], { files, judge });
    expect(why).toContain('as they were: `test` did not pass.');
  });

  slowly('unless these asked for the fault itself, and that is said', async () => {
    const wrong = `${OLD_TEST}test('splits', () => assert.equal(sum(split(10, 3)), 11));\n`;
    const files = {
      'test/parse.test.js': wrong.replace('{ parse, format }', '{ parse, format, sum, split }'),
    };
    const right = put('test/parse.test.js', files['test/parse.test.js'].replace('11)', '10)'));
    const judge: JudgedProof = { ...THIS, oldTests: 'asked_for_the_fault' };
    const outcome = await proved(SUM, { turns: [[right, mended]], files, judge });
    expect(outcome).toMatchObject({ verdict: 'shown', branch: expect.any(String) });
    expect(outcome.why).toContain('test/parse.test.js asked for the fault itself');
  });

  it('but is, where a line is added to a test that was there', async () => {
    const added = put(
      'test/parse.test.js',
      `${OLD_TEST}import { sum, split } from '../src/index.js';\ntest('s', () => assert.equal(sum(split(10, 3)), 10));\n`,
    );
    expect(await proved(SUM, { turns: [[added, mended]] })).toMatchObject({ verdict: 'shown' });
  });
});

describe('what holds', () => {
  const TWO: ProveInput = { kind: 'holds', claim: 'format in src/parse.js shows the sign.' };
  const broken = put('src/parse.js', SIGNLESS);

  it('is shown by tests that were there, which are red once the code is broken', async () => {
    const outcome = await proved(TWO, { turns: [[broken]] });
    expect(outcome).toMatchObject({ verdict: 'shown', basis: 'ran', tests: [] });
    expect(outcome.why).toContain('by tests that were there');
    expect(judges()[0]).toContain("test('formats'");
  });

  slowly(
    'is so beside a new test too, which is judged with them, and not where these show something else',
    async () => {
      const turn = [broken, written("assert.equal(format(-7), '-0.07');")];
      expect(await proved(TWO, { turns: [turn] })).toMatchObject({
        ...{ verdict: 'shown', tests: ['test/f.test.js'] },
        why: expect.stringContaining('failed with its test, and `test` failed without it too, by tests that'),
      });
      for (const seen of ["format(-7), '-0.07'", "test('formats'", "'-0.07'\n"])
        expect(judges()[0]).toContain(seen);
      await plugin.stop();
      repository[Symbol.dispose]();
      expect(await proved(TWO, { turns: [turn, turn], judge: ELSE })).toMatchObject({ verdict: 'not_shown' });
    },
  );

  slowly('is not shown by the break of a name, nor by a test of something else', async () => {
    const gone = [
      put('src/index.js', "export { parse } from './parse.js';\nexport { split, sum } from './split.js';\n"),
      written("assert.equal(format(-5), '-0.05');"),
    ];
    expect((await proved(TWO, { turns: [gone, gone] })).why).toContain(
      'With the code broken it is red only because',
    );
    await plugin.stop();
    repository[Symbol.dispose]();
    const other = [
      put('src/split.js', SPLIT.replace('length: n', 'length: n + 1')),
      written('assert.equal(split(10, 2).length, 2);'),
    ];
    expect(await proved(TWO, { turns: [other, other], judge: ELSE })).toMatchObject({ verdict: 'not_shown' });
  });

  slowly('is not refuted by a test that asks for another thing', async () => {
    const wrong = [written('assert.equal(sum(split(10, 2)), 11);')];
    expect(await proved(TWO, { turns: [wrong, wrong], judge: ELSE })).toMatchObject({ verdict: 'not_shown' });
  });
});

describe('a fault of a change', () => {
  const lines = PARSE.split('\n');
  const change = [
    ...['diff --git a/src/parse.js b/src/parse.js', '--- a/src/parse.js', '+++ b/src/parse.js'],
    ...[
      '@@ -1,4 +1,4 @@',
      ` ${lines[0]}`,
      ` ${lines[1]}`,
      `-${lines[2]}`,
      '+  return cents;',
      ` ${lines[3]}`,
      '',
    ],
  ].join('\n');
  const drops: ProveInput = { kind: 'fails', claim: 'src/parse.js:3: parse("-0.5") gives 50.', change };

  it('is shown by the tests that were there, where the change makes them red', async () => {
    const outcome = await proved(drops, { turns: [] });
    expect(outcome).toMatchObject({ verdict: 'shown', basis: 'ran', tests: [] });
    expect(outcome.why).toBe(
      'Run with the change, and the tests that are there: `test` failed. Run without the change: passed.',
    );
    expect(judges()[0]).toContain("test('parses'");
  });

  slowly('is not shown by these where they show something else', async () => {
    expect(await proved(drops, { turns: [], judge: ELSE })).toMatchObject({
      verdict: 'not_shown',
      basis: 'believed',
    });
  });

  slowly('says so where they are red without the change too', async () => {
    const files = { 'test/parse.test.js': `${OLD_TEST}test('r', () => assert.equal(1, 2));\n` };
    const { verdict, why } = await proved(drops, { turns: [], files });
    expect({ verdict, why }).toEqual({
      verdict: 'not_run',
      why: 'Nothing was run: `test` did not pass with the change, nor without it, so that no test could show it.',
    });
  });

  slowly('is not shown by a test that is red without the change as well', async () => {
    const round = change.replace('+  return cents;', '+  return (text[0] === "-" ? -1 : 1) * cents;');
    const turn = [written('assert.equal(sum(split(10, 3)), 10);')];
    const outcome = await proved({ ...drops, change: round }, { turns: [turn, turn] });
    expect(outcome).toMatchObject({ verdict: 'not_shown', basis: 'believed' });
    expect(outcome.why).toContain('it did not pass either, so this is not shown to come with the change');
    expect(judges()).toEqual([]);
  });
});
