import { definePlugin } from '@nexus/plugin-sdk';
import { type PluginUnderTest, scriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, describe, expect } from 'vitest';
import { byTurns, it, slowly } from '../../../../../vitest.slowly.ts';
import { lastText, scriptedVote } from '../../test/dev-team.ts';
import { type FixtureRepository, fixtureRepository, TEST_COMMAND } from '../../test/fixture-repository.ts';
import { placesOf } from '../../test/places-of.ts';
import { ADDS, NOTHING_ADDED, prover, put, SUBTRACTS, SUMS, sumFiles, sumTest } from '../../test/prover.ts';
import { scriptedExperts } from '../../test/scripted-experts.ts';
import { specJudge } from '../../test/spec-judge.ts';
import workflows from '../index.ts';
import type { SpecOutput } from '../spec/spec-output.ts';

const requirement = (id: string, quote: string, dependsOn: readonly string[] = []) => ({
  ...{ id, text: `TEXT-${id}`, quote, line: 1, role: 'code', dependsOn },
});
const SPEC = '- The sum of two numbers is their sum.\n- The sum has a name.\n- It is told.\n';
const ADDS_UP = requirement('adds', 'The sum of two numbers is their sum.');
const NAMED = requirement('named', 'The sum has a name.');
const TOLD = requirement('told', 'It is told.', ['adds']);

type Answer = SpecOutput & { readonly summary: string; readonly status: string };

let plugin: PluginUnderTest;
let repository: FixtureRepository;
afterEach(async () => {
  await plugin.stop();
  repository[Symbol.dispose]();
});

interface Given {
  readonly requirements?: readonly object[];
  /** What is written in each conversation of whoever does the work, and of whoever shows it. */
  readonly work?: readonly (readonly ReturnType<typeof put>[])[];
  readonly proofs?: readonly (readonly ReturnType<typeof put>[])[];
  readonly vote?: 'approved' | 'rejected';
  readonly passes?: boolean;
  readonly commands?: object;
  readonly implement?: boolean;
  /** What the project tests of its sum. */
  readonly tested?: string;
  readonly isWithVotes?: boolean;
  /** Of whoever judges what was met by reading. */
  readonly onBranch?: object;
}

const HOLDS = { status: 'met', onBranch: { state: 'holds' } };
const UNKNOWN = { status: 'met', onBranch: { state: 'unknown' } };
const BROKEN = { status: 'not_met', basis: 'read', onBranch: { state: 'broken' } };

const MENDED = [put('sum.js', SUMS), sumTest(NOTHING_ADDED, ADDS)];
/** Beside the tests that came with the change. */
const OWN_TEST = [
  put('sum.test.js', `${sumTest(NOTHING_ADDED, ADDS).input.text}assert.equal(sum(1, 1), 2);\n`),
];

/** Of the project as it is, `adds` is not met, and what else is judged is. */
async function start({
  requirements = [ADDS_UP, NAMED],
  work = [MENDED],
  proofs = [OWN_TEST],
  vote = 'approved',
  passes = true,
  commands = { test: TEST_COMMAND },
  isWithVotes = true,
  tested = NOTHING_ADDED,
  onBranch = { state: 'holds', restsOn: ['E1'] },
}: Given) {
  repository = fixtureRepository({ ...sumFiles(SUBTRACTS), 'sum.test.js': sumTest(tested).input.text });
  const asProver = prover(...proofs);
  let turns = 0;
  const models = scriptedModels((request) => {
    const { system = '' } = request;
    const judged = specJudge(request, (prompt) => {
      const isMet = !prompt.includes('TEXT-adds');
      return { isMet, reason: isMet ? 'There.' : 'It subtracts.', restsOn: ['E1'] };
    });
    if (judged) return judged;
    if (system.startsWith('You say of one requirement')) return { object: { reason: 'Seen.', ...onBranch } };
    if (system.startsWith('You see what several')) return { object: { contradictions: [] } };
    if (system.startsWith('You plan')) {
      const tasks = [{ title: 'Let it add', description: 'Let sum add.', files: ['sum.js'] }];
      return { object: { summary: 'It adds.', tasks, risks: [], verification: 'By tests.' } };
    }
    if (system.startsWith('You change')) {
      turns += 1;
      const writes = work[(turns - 1) / 2] ?? [];
      return turns % 2 === 1 && writes.length > 0 ? { tools: [...writes] } : 'Done.';
    }
    if (system.startsWith('You judge a change'))
      return { object: { passes, summary: 'Seen.', findings: [] } };
    return asProver(request) ?? { object: { requirements } };
  });
  const experts = scriptedExperts(() => `FOUND-OUT\n\n## Evidence\n- sum.js:1: ${SUBTRACTS}`);
  const ballots = scriptedVote(() => vote);
  const runs = [...(workflows.runs ?? []), experts, ...(isWithVotes ? [ballots] : [])];
  plugin = await startPlugin(definePlugin({ ...workflows, runs }), {
    models,
    projectRoot: repository.path,
    options: { commands },
  });
  return { models, ballots: ballots.held };
}

async function execute(given: Given = {}) {
  const { models } = await start(given);
  const { implement = true } = given;
  return { answer: await plugin.answer<Answer>('execute_spec', { spec: SPEC, implement }), models };
}

const branches = () => repository.git('branch', '--list', '--format=%(refname:short)', 'nexus/*').trim();
/** What shows it of the project as it is: a test, and the code broken. */
const proofOfNamed = [
  sumTest(NOTHING_ADDED, "assert.equal(sum.name, 'sum');"),
  put('sum.js', 'export const sum = (function add() { return 2; });\n'),
];

describe('a specification whose work is done', () => {
  it('has what is not met done on a branch, and met where a test is red on the old code and green there', async () => {
    const before = () => repository.snapshot();
    const { models } = await start({ proofs: [proofOfNamed, OWN_TEST] });
    const files = before();
    const answer = await plugin.answer<Answer>('execute_spec', { spec: SPEC, implement: true });
    const [adds, named] = answer.requirements;
    const branch = answer.change?.changes.branch ?? '';
    expect(answer.status).toBe('met');
    expect(adds).toMatchObject({
      ...{ status: 'met', basis: 'ran', proof: { verdict: 'shown', tests: ['sum.test.js'] } },
      reason: `It was not met, and was brought about on the branch ${branch}. Run with the change: its test passed. Run on the code as it was: \`test\` failed, and passed without the test.`,
    });
    expect(named).toMatchObject({ status: 'met', onBranch: { state: 'holds' } });
    expect(named?.reason).not.toContain('branch');
    expect(answer.summary).toMatch(/^# 2 of 2 requirements met on the branch\n/);
    expect(branches()).toBe(branch);
    // Where its branch is made, it stays.
    expect(await placesOf(plugin, 'workflows.spec')).toEqual([expect.any(String)]);
    expect(repository.git('show', `${branch}:sum.js`)).toBe(SUMS);
    expect(before()).toEqual(files);
    const text = answer.summary;
    expect(text).toContain(`## Change\n\nWhat was not met was done on the branch \`${branch}\``);
    expect(text.split('+export const sum = (a, b) => a + b;')).toHaveLength(2);
    // What was found out is known to whoever plans: nobody is asked again, and only of what is lacking.
    const asked = models.requests.find(({ system }) => system?.startsWith('You plan'));
    expect(asked && lastText(asked)).toMatch(/TEXT-adds[\s\S]*It subtracts\.[\s\S]*FOUND-OUT/);
    expect(asked && lastText(asked)).toMatch(/FOUND-OUT|These hold already[\s\S]*TEXT-named/);
    expect(models.requests.some(({ system }) => system?.startsWith('You find out'))).toBe(false);
  });

  const UNNAMED = put('sum.js', 'export const sum = (function add(a, b) { return a + b; });\n');

  byTurns<[string, Given['work']]>([
    ['and no test', [[UNNAMED]]],
    ['and the lines of its test', [[UNNAMED, sumTest(NOTHING_ADDED, ADDS)]]],
  ])('is not met any more where the change breaks what was met %s, and says so first', async (_, work) => {
    const { answer, models } = await execute({ work, proofs: [proofOfNamed, OWN_TEST] } as Given);
    const [adds, named] = answer.requirements;
    expect(answer).toMatchObject({ status: 'not_met', change: { status: 'done' } });
    expect(adds).toMatchObject({ status: 'met' });
    expect(named).toMatchObject({
      ...{ status: 'not_met', basis: 'ran', onBranch: { state: 'broken' } },
      reason: expect.stringMatching(/^It was met, and the change on the branch \S+ breaks it\./),
    });
    expect(answer.summary).toMatch(/^# 1 of 2 requirements met on the branch, which breaks named\n/);
    for (const who of ['You plan', 'You judge a change']) {
      const asked = models.requests.find(({ system }) => system?.startsWith(who));
      expect(asked && lastText(asked)).toMatch(/These hold already[\s\S]*TEXT-named/);
    }
  });

  const UNBROKEN = [sumTest(NOTHING_ADDED, "assert.equal(sum.name, 'sum');")];
  /** Of `named`: no test shows it before the change. */
  const READ_BEFORE = [UNBROKEN, UNBROKEN, OWN_TEST];
  const KEPT = put('sum.js', `${SUMS}// Was: ${SUBTRACTS}`);

  byTurns<[string, NonNullable<Given['onBranch']>, readonly ReturnType<typeof put>[], object]>([
    ['holds there', { state: 'holds', restsOn: ['E1'] }, [KEPT, sumTest(NOTHING_ADDED, ADDS)], HOLDS],
    ['whose place is gone there', { state: 'holds', restsOn: ['E1'] }, MENDED, UNKNOWN],
    [
      'whose judge can’t tell',
      { state: 'unknown', restsOn: [] },
      [KEPT, sumTest(NOTHING_ADDED, ADDS)],
      UNKNOWN,
    ],
    ['is broken by words of the diff', { state: 'broken', restsOn: [SUMS.trim()] }, MENDED, BROKEN],
    [
      'is broken by nothing that is there',
      { state: 'broken', restsOn: ['new words of nobody'] },
      MENDED,
      UNKNOWN,
    ],
  ])('has what was met by reading judged anew on the branch: what %s', async (_, onBranch, work, comes) => {
    const { answer, models } = await execute({ proofs: READ_BEFORE, work: [work], onBranch } as Given);
    expect(answer.requirements[1]).toMatchObject(comes);
    const asked = models.requests.filter(({ system }) => system?.startsWith('You say of one requirement'));
    expect(asked.map(lastText)).toEqual([expect.stringMatching(/TEXT-named[\s\S]*the diff of the change/)]);
    expect(branches()).toBe(answer.change?.changes.branch);
  });

  slowly('says first what was met before and nobody can tell of on the branch', async () => {
    const onBranch = { state: 'unknown', restsOn: [] };
    const { answer } = await execute({ proofs: READ_BEFORE, onBranch } as Given);
    expect(answer).toMatchObject({ status: 'not_met', requirements: [{}, { status: 'met' }] });
    expect(answer.summary).toMatch(
      /^# 1 of 2 requirements met on the branch\n\nMet before the change, and not shown to be so on its branch: named\.\n/,
    );
    expect(answer.summary).toContain('| named | met before, **not shown on the branch** |');
  });

  byTurns<[string, NonNullable<Given['proofs']>, string, Given?]>([
    [
      'is green on the old code too',
      [[sumTest(NOTHING_ADDED, 'assert.equal(sum(0, 0), 0);')]],
      'too, so it shows nothing',
    ],
    [
      'only loads what was added',
      [[sumTest(NOTHING_ADDED, ADDS, "import './total.js';")]],
      'asserts nothing in the lines that were added',
      { work: [[...MENDED, put('total.js', 'export {};\n')]] },
    ],
    ['is never written', [[]], 'No test was written that shows it'],
    ['is red with the change', [[sumTest('assert.equal(sum(1, 1), 3);')]], '`test` failed'],
  ])('stays not met where its test %s, whoever says that it is done', async (_, proofs, why, more = {}) => {
    const { answer } = await execute({ requirements: [ADDS_UP], proofs: [...proofs, ...proofs], ...more });
    expect(answer).toMatchObject({ status: 'not_met', change: { status: 'done' } });
    expect(answer.requirements[0]).toMatchObject({ status: 'not_met', reason: expect.stringContaining(why) });
    expect(answer.requirements[0]?.reason).toContain('It subtracts. What was done for it on the branch');
  });

  const NEW_FILE = put('total.js', 'export const total = (a, b) => a + b;\n');
  const OF_NEW = put(
    'sum.test.js',
    `${sumTest(NOTHING_ADDED, ADDS).input.text}import { total } from './total.js';\nassert.equal(total(1, 1), 2);\n`,
  );

  slowly(
    'is met by a test of what was not there before, once the code is broken in the place of the old code',
    async () => {
      const broken = put('total.js', 'export const total = (a, b) => a - b;\n');
      const given = { work: [[...MENDED, NEW_FILE]], proofs: [[OF_NEW], [OF_NEW, broken]] };
      const { answer, models } = await execute({ requirements: [ADDS_UP], ...given });
      expect(answer.requirements).toMatchObject([
        { status: 'met', basis: 'ran', proof: { verdict: 'shown' } },
      ]);
      const asked = models.requests.filter(({ system }) => system?.startsWith('You show by a test'));
      expect(asked.map(lastText).find((text) => text.includes('could not be loaded'))).toContain(
        'the smallest edit of the code as it is now',
      );
    },
  );

  slowly('stays not met where a new file that nothing uses is all that its test shows', async () => {
    const beside = put(
      'sum.test.js',
      `${sumTest(NOTHING_ADDED).input.text}import { total } from './total.js';\nassert.equal(total(1, 1), 2);\n`,
    );
    const proof = [put('sum.test.js', `${beside.input.text}assert.equal(total(2, 1), 3);\n`)];
    const given = { work: [[NEW_FILE, beside]], proofs: [proof, proof] };
    const { answer } = await execute({ requirements: [ADDS_UP], ...given });
    expect(answer).toMatchObject({ status: 'not_met', change: { status: 'done' } });
    expect(answer.requirements[0]?.reason).toContain(
      'On the code as it was it is red only because it could not be loaded',
    );
  });

  slowly('stays not met where the old code is red without its test too', async () => {
    const { answer } = await execute({ requirements: [ADDS_UP], tested: ADDS, proofs: [OWN_TEST, OWN_TEST] });
    expect(answer.change?.qa.proof?.verdict).toBe('proved');
    expect(answer.requirements).toMatchObject([
      { status: 'not_met', reason: expect.stringContaining('did not pass without its test either') },
    ]);
  });

  slowly('has what waited for it shown after it, and not begun where it is not', async () => {
    const { answer } = await execute({ requirements: [TOLD, ADDS_UP], proofs: [OWN_TEST, OWN_TEST] });
    expect(answer.requirements.map(({ id, status }) => `${id} ${status}`)).toEqual(['told met', 'adds met']);
    await plugin.stop();
    repository[Symbol.dispose]();
    const { answer: other } = await execute({ requirements: [TOLD, ADDS_UP], proofs: [[]] });
    expect(other.requirements.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'told blocked',
      'adds not_met',
    ]);
  });

  it('counts nothing of what did not pass its review, and says where it is', async () => {
    const { answer } = await execute({
      ...{ requirements: [ADDS_UP], passes: false, work: [MENDED, [], []] },
    });
    expect(answer).toMatchObject({ status: 'not_met', change: { status: 'blocked' } });
    expect(answer.summary).toContain(
      'did not pass its quality gate (the review did not let it pass), and counts for nothing',
    );
    expect(branches()).toMatch(/^nexus\/unfinished\//);
  });

  slowly('says that nothing was done where the plan was voted down', async () => {
    const { answer } = await execute({ requirements: [ADDS_UP], vote: 'rejected' });
    expect(answer).toMatchObject({ status: 'not_met', change: { status: 'rejected' } });
    expect(answer.summary).toContain('The plan for what is not met was voted down, and nothing was done.');
    expect(branches()).toBe('');
  });

  it.each([
    ['all is met', { requirements: [NAMED], proofs: [proofOfNamed] }],
    ['it is not asked for', { requirements: [ADDS_UP], implement: false }],
  ])('changes nothing where %s', async (_, given) => {
    const { answer, models } = await execute(given);
    expect(answer.change).toBeUndefined();
    expect(models.requests.some(({ system }) => system?.startsWith('You plan'))).toBe(false);
    expect(branches()).toBe('');
  });

  it.each([
    ['without a check', { commands: {} }, /A quality gate that blocks needs a check/],
    ['without votes', { isWithVotes: false }, /implement needs the plugin "consensus"/],
  ])('is refused before a model is asked %s', async (_, given, why) => {
    const { models } = await start(given);
    await expect(plugin.answer('execute_spec', { spec: SPEC, implement: true })).rejects.toThrow(why);
    expect(models.requests).toEqual([]);
  });
});
