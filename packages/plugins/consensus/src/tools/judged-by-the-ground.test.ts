import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  definePlugin,
  defineTool,
  type GenerateRequest,
  ToolError,
  type VoteConditionsOutput,
  type VoteOutput,
  vote,
  voteConditions,
} from '@nexus/plugin-sdk';
import { type PluginUnderTest, type ScriptedAnswer, scriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readFile } from '../../test/read-file.ts';
import { MATTER, TWO_MODELS, textOf, voterOf } from '../../test/scripted-panel.ts';
import type { Declared } from '../ground/whole-place.ts';
import consensus from '../index.ts';
import type { VoterName } from '../voters/voters.ts';

type Said = Readonly<Record<string, unknown>> | Error;

interface Panel {
  /** By default everybody approves. */
  readonly first?: Partial<Record<VoterName, Said>>;
  /** With objections before them. By default nobody holds any, and all approve. */
  readonly again?: Partial<Record<VoterName, Said>>;
  readonly checks?: readonly object[] | (() => readonly object[]) | Error;
  /** What a voter reads before it votes. */
  readonly reads?: string;
  /** What whoever checks conditions reads before it answers. */
  readonly checkReads?: string;
  /** What each file declares. */
  readonly symbols?: readonly Declared[];
}

const symbolsTool = (symbols: readonly Declared[]) =>
  defineTool({
    name: 'extract_symbols',
    title: 'Extract symbols',
    description: 'Lists what source files declare.',
    input: z.object({
      filePath: z.string().max(200).describe('Which.'),
      mode: z.string().max(9).optional().describe('How.'),
      limit: z.int().max(2_000).describe('Most.'),
    }),
    output: z.object({ symbols: z.array(z.object({ name: z.string(), line: z.int(), endLine: z.int() })) }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    budget: 'interactive',
    call: async () => ({ symbols: [...symbols] }),
  });

let projectRoot: string;
let plugin: PluginUnderTest;
beforeEach(() => {
  projectRoot = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-vote-')));
  writeFileSync(
    join(projectRoot, 'sum.js'),
    ['// Sums.', 'export function sum(a, b) {', '  return a - b;', '}', ''].join('\n'),
  );
});
afterEach(async () => {
  await plugin.stop();
  rmSync(projectRoot, { recursive: true, force: true });
});

const isCheck = (request: GenerateRequest) =>
  textOf(request).includes('You check whether conditions are met');
const isAgain = (request: GenerateRequest) => textOf(request).includes('Before anything is decided');
const hasRead = ({ prompt }: GenerateRequest) => JSON.stringify(prompt).includes('tool_result');
/** Objections, by the fence of each. */
const objectionsIn = (request: GenerateRequest) =>
  textOf(request).match(/Data from objection \d/g)?.length ?? 0;

async function start({ first = {}, again = {}, checks = [], reads, checkReads, symbols = [] }: Panel) {
  const models = scriptedModels(
    (request): ScriptedAnswer => {
      if (isCheck(request) && checkReads !== undefined && !hasRead(request))
        return { tools: [{ name: 'read_file', input: { path: checkReads } }] };
      if (isCheck(request)) {
        if (checks instanceof Error) return checks;
        return { object: { conditions: typeof checks === 'function' ? checks() : checks } };
      }
      const voter = voterOf(request);
      if (reads !== undefined && !hasRead(request))
        return { tools: [{ name: 'read_file', input: { path: reads } }] };
      const approving = { reasoning: `${voter} approves.`, decision: 'approve', confidence: 0.8 };
      const answers = Array.from({ length: objectionsIn(request) }, () => ({
        because: 'It is guarded.',
        holds: false,
      }));
      const said = (isAgain(request) ? again : first)[voter];
      if (said instanceof Error) return said;
      return { object: { ...approving, ...(isAgain(request) ? { objections: answers } : {}), ...said } };
    },
    { models: TWO_MODELS },
  );
  const declares = symbols.length === 0 ? [] : [symbolsTool(symbols)];
  const whole = definePlugin({ ...consensus, tools: [...(consensus.tools ?? []), readFile, ...declares] });
  plugin = await startPlugin(whole, { models, projectRoot });
  return models;
}

const ask = (args: object = {}) => plugin.answer<VoteOutput>('consensus_vote', { proposal: MATTER, ...args });

describe('the ground of a vote', () => {
  it('is in what reaches each voter: what the proposal names as it stands, what is not there, and a diff', async () => {
    const models = await start({});
    const answer = await ask({
      proposal: 'Mend sum.js:3 as in `gone.js`.',
      ground: '-  return a - b;\n+  return a + b;',
    });
    expect(answer.ground).toEqual({ references: ['sum.js:3'], missing: [] });
    expect(models.requests.length).toBeGreaterThan(0);
    for (const request of models.requests) {
      expect(textOf(request)).toMatch(/the project’s sum.js:3[\s\S]*3\\t {2}return a - b;/);
      expect(textOf(request)).toContain('+  return a + b;');
    }
  });

  it('says to voters and to the caller what the proposal names and is not there', async () => {
    const models = await start({});
    const { ground, summary } = await ask({ proposal: 'Mend src/gone.js:3.' });
    expect(ground.missing).toEqual(['src/gone.js:3']);
    expect(summary).toContain('Named in the proposal, and not there: src/gone.js:3.');
    for (const request of models.requests) expect(textOf(request)).toContain('not in the project; whatever');
  });

  it('has each line once where two places stand in one function', async () => {
    const models = await start({});
    const { ground } = await ask({ proposal: 'Mend sum.js:3 by what sum.js:2 takes.' });
    expect(ground.references).toEqual(['sum.js:3', 'sum.js:2']);
    for (const request of models.requests) expect(textOf(request).match(/return a - b;/g)).toHaveLength(1);
  });

  it('has a file by its bare name, and takes no product’s name for one', async () => {
    const models = await start({});
    await ask({ proposal: 'Mend the sum in sum.js.', voters: ['security'] });
    expect(textOf(models.requests[0] as GenerateRequest)).toContain('return a - b;');
    await plugin.stop();
    const others = await start({});
    const { ground } = await ask({ proposal: 'Go on with Node.js.', voters: ['security'] });
    expect(ground.missing).toEqual([]);
    expect(others.requests[0]?.tools).toBeUndefined();
  });

  it('has no file that may hold a secret, nor one that a link of the project leads to', async () => {
    writeFileSync(join(projectRoot, '.env'), 'TOKEN=5\n');
    symlinkSync('.env', join(projectRoot, 'notes.md'));
    const models = await start({});
    await ask({ proposal: 'Mend ./.env:1, ./notes.md:1 and ./notes.md as in sum.js:3.' });
    for (const request of models.requests) {
      expect(textOf(request)).toContain('return a - b;');
      expect(textOf(request)).not.toContain('TOKEN');
    }
  });

  it('is bounded: of a long file the head, and no more of all than a voter can read', async () => {
    writeFileSync(
      join(projectRoot, 'long.js'),
      'const line = "so it goes on and on, as code does";\n'.repeat(5_000),
    );
    const names = Array.from({ length: 12 }, (_, at) => `f${at}.js`);
    for (const name of names) {
      writeFileSync(
        join(projectRoot, name),
        'const line = "so it goes on and on, as code does";\n'.repeat(140),
      );
    }
    const models = await start({});
    await ask({ proposal: `Join ./long.js and ${names.map((name) => `./${name}`).join(', ')}.` });
    const text = textOf(models.requests[0] as GenerateRequest);
    expect(text).toContain('(cut here: open the rest)');
    expect(text).toContain('(left out for its length: open it)');
    expect(text.length).toBeLessThan(32_000);
  });

  it.each([
    ['as code', 'Mend `replaceCaret` in ./long.js.'],
    ['bare', 'Mend what replaceCaret of ./long.js writes.'],
    ['by its lines', 'Mend ./long.js (lines 364-366).'],
    ['by its lines as code', 'Mend `./long.js`, lines 364–366.'],
    ['by lines of the file', 'Mend lines 364 to 366 of ./long.js.'],
  ])('has the function of a long file that is named %s, and not its head', async (_, proposal) => {
    const fill = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_each, at) => `const filler${from + at} = 0;`).join('\n');
    const named = 'function replaceCaret(comp) {\n  const upper = comp;\n  return upper;\n}';
    writeFileSync(join(projectRoot, 'long.js'), `${fill(1, 362)}\n${named}\n${fill(367, 500)}\n`);
    const symbols = [
      { name: 'filler1', line: 1, endLine: 1 },
      { name: 'replaceCaret', line: 363, endLine: 366 },
      { name: 'upper', line: 364, endLine: 364 },
    ];
    const models = await start({ symbols });
    await ask({ proposal, voters: ['security'] });
    const text = textOf(models.requests[0] as GenerateRequest);
    expect(text).toContain('const upper = comp;');
    expect(text).not.toContain('filler1 ');
  });

  it('may be read further by the voters, with the kit, where it is about code and only there', async () => {
    const models = await start({ reads: 'sum.js' });
    expect(await ask({ proposal: 'Mend sum.js:3.', voters: ['security'] })).toMatchObject({
      decision: 'approved',
    });
    expect(models.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
      ['read_file'],
      ['read_file'],
    ]);
    expect(JSON.stringify(models.requests[1]?.prompt)).toContain('sum.js: lines 1 to 4 of 4 lines.');
    await plugin.stop();
    const others = await start({});
    await ask({ proposal: 'Meet on Mondays.', voters: ['security'] });
    expect(others.requests[0]?.tools).toBeUndefined();
  });
});

it('what a ballot names and is not there is marked in its reasons', async () => {
  await start({ first: { architect: { reasoning: 'As src/gone.js:3 shows, and sum.js:3.' } } });
  const { votes, summary } = await ask({ voters: ['architect'] });
  expect(votes[0]?.reasoning).toBe('As src/gone.js:3 (not found) shows, and sum.js:3.');
  expect(summary).toContain('src/gone.js:3 (not found)');
});

it('what a ballot says to have run is marked, where what it was given tells of no run', async () => {
  const said = { reasoning: 'I ran it. The tests pass.', objection: null };
  await start({ first: { architect: said } });
  const { votes } = await ask({ voters: ['architect'] });
  expect(votes[0]?.reasoning).toBe('I ran it (nothing was run). The tests pass (nothing was run).');
  await plugin.stop();
  await start({ first: { architect: said } });
  const told = await ask({ voters: ['architect'], ground: 'vitest: 12 tests passed' });
  expect(told.votes[0]?.reasoning).toBe('I ran it (nothing was run). The tests pass.');
});

describe('those without a stake', () => {
  it('are not asked, and the answer says who and why', async () => {
    const models = await start({});
    const { leftOut, summary } = await ask({ proposal: 'Keep the state in SQLite.' });
    expect(leftOut.map(({ voter }) => voter)).toEqual(['devex', 'ai_ml', 'pm']);
    expect(summary).toContain('Product was not asked. Nothing in it speaks of users');
    expect(models.requests.map(voterOf)).toEqual(['architect', 'security', 'catfish', 'scope_steward']);
  });

  it('say so where they are asked, and then do not count against; other abstentions do', async () => {
    const noStake = { decision: 'abstain', noStake: true };
    const three = { security: noStake, ai_ml: noStake, pm: noStake };
    await start({ first: { ...three, architect: { decision: 'reject' } } });
    const { decision, approval, votes, panelDiversity, summary } = await ask();
    expect({ decision, approval }).toEqual({ decision: 'approved', approval: 3 / 4 });
    expect(votes.filter(({ decision: said }) => said === 'no_stake')).toHaveLength(3);
    expect(panelDiversity.voters).toBe(4);
    expect(summary).toContain('- 4 ballots from ');
    await plugin.stop();
    const abstains = { decision: 'abstain' };
    await start({
      first: { security: abstains, ai_ml: abstains, pm: abstains, architect: { decision: 'reject' } },
    });
    expect(await ask()).toMatchObject({ decision: 'rejected', approval: 3 / 7 });
  });

  it('vote all the same where the caller names them', async () => {
    const models = await start({});
    await ask({ proposal: 'Keep the state in SQLite.', voters: ['pm'] });
    expect(models.requests.map(voterOf)).toEqual(['pm']);
  });
});

const UNDER = { conditions: ['sum stays where it is'] };
const check = (state: string, restsOn: readonly string[] = []) => [
  { condition: 1, why: 'Seen.', restsOn, state },
];

describe('a condition', () => {
  it('is part of the ballot, is checked in the code, and stands in the answer', async () => {
    const checks = check('met', ['sum.js:2']);
    const models = await start({ first: { architect: UNDER }, checks, checkReads: 'sum.js' });
    const { conditions, why, summary, votes } = await ask();
    expect(conditions).toEqual([
      { text: 'sum stays where it is', by: ['architect'], state: 'met', why: 'Seen.' },
    ]);
    expect(votes.find(({ voter }) => voter === 'architect')?.conditions).toEqual(UNDER.conditions);
    expect(why).toContain('Conditions: 1 met, 0 not met, 0 unknown.');
    expect(summary).toContain('- **met**: sum stays where it is (Architect). Seen.');
    expect(models.requests.filter(isCheck)).toHaveLength(2);
  });

  it.each([
    ['a place with its words', 'A diff.', 'sum.js:3: return a - b;'],
    ['a place in the work with its words', '+  return a + b;', '- sum.js:3: `return a + b;`'],
    ['words of the work', '+  return a + b;', 'It says "return a + b;" there.'],
  ])('is met by %s, however they are spelt', async (_, ground, restsOn) => {
    await start({ first: { architect: UNDER }, checks: check('met', [restsOn]) });
    expect((await ask({ ground })).conditions).toMatchObject([{ state: 'met' }]);
  });

  it.each([
    ['a place that is not there', ['src/gone.js:2']],
    ['words that do not stand at its place', ['sum.js:3: return a * b * c;']],
    ['a place that is there, and that whoever checked never opened', ['sum.js:2']],
    ['words that stand nowhere', ['it was surely done so']],
    ['nothing', []],
  ])('is not met by %s: it is unknown', async (_, restsOn) => {
    await start({ first: { architect: UNDER }, checks: check('met', restsOn) });
    expect((await ask()).conditions).toMatchObject([
      { state: 'unknown', why: expect.stringContaining('was found') },
    ]);
  });

  it('binds: who made one that is not met counts against', async () => {
    const four = { architect: UNDER, security: UNDER, devex: UNDER, ai_ml: UNDER };
    await start({ first: four, checks: check('not_met') });
    const { decision, approval, why, dissent } = await ask();
    expect({ decision, approval }).toEqual({ decision: 'rejected', approval: 3 / 7 });
    expect(why).toContain('1 not met');
    // Decided against, so those dissent who are still for it.
    expect(dissent.map(({ voter }) => voter)).toEqual(['pm', 'catfish', 'scope_steward']);
  });

  it('that is not met turns a ballot, which every place says that has the ballot', async () => {
    await start({ first: { catfish: UNDER }, checks: check('not_met') });
    const { decision, votes, dissent, summary, recordId } = await ask();
    expect(decision).toBe('approved');
    const cast = { voter: 'catfish', decision: 'approve', countedAs: 'reject' };
    expect(votes.find(({ voter }) => voter === 'catfish')).toMatchObject(cast);
    expect(dissent).toMatchObject([cast]);
    const said = 'approve, counted as reject: its condition is not met';
    expect(summary).toContain(`- **Doubter (catfish)** (${said}): catfish approves.`);
    expect(summary).toMatch(new RegExp(`\\| Doubter \\(catfish\\) \\|[^|]*\\| ${said} \\|`));
    // Each voter is measured by what it said, and not by what a checker made of it.
    const told = await plugin.answer('tell_outcome', { recordId, outcome: 'right', source: 'It went well.' });
    expect(told).toMatchObject({ ballots: { right: 7, wrong: 0 } });
  });

  it('between options, too', async () => {
    const options = ['a', 'b'];
    const asked = scriptedModels(
      (request): ScriptedAnswer => {
        if (isCheck(request)) return { object: { conditions: check('not_met') } };
        const listed = [...textOf(request).matchAll(/^(\d)\. (.*)$/gm)];
        const wants = voterOf(request) === 'scope_steward' ? 'b' : 'a';
        const option = Number(listed.find((match) => match[2] === wants)?.[1]);
        return { object: { reasoning: 'So.', confidence: 1, option, ...(wants === 'a' ? UNDER : {}) } };
      },
      { models: TWO_MODELS },
    );
    plugin = await startPlugin(consensus, { models: asked, projectRoot });
    expect(await ask({ options, quickMode: true })).toMatchObject({
      decision: 'rejected',
      conditions: [{ by: ['architect', 'security'], state: 'not_met' }],
    });
  });

  it('of a ballot against is none, nor is any checked where nothing goes through', async () => {
    const against = { decision: 'reject', ...UNDER };
    const models = await start({
      first: { architect: against, security: against, devex: against, ai_ml: against, pm: UNDER },
    });
    expect(await ask()).toMatchObject({ decision: 'rejected', conditions: [] });
    expect(models.requests.filter(isCheck)).toEqual([]);
  });

  it('that nobody could check is unknown, and says why', async () => {
    await start({ first: { architect: UNDER }, checks: new ToolError('NEXUS_MODEL_REFUSED', 'I will not.') });
    expect((await ask()).conditions).toMatchObject([
      { state: 'unknown', why: expect.stringContaining('I will not.') },
    ]);
  });

  it('that whoever checks leaves out is asked for once more, by its number', async () => {
    const more = ['sum stays where it is', 'it is told'];
    const rounds = [[], [{ condition: 2, why: 'It is.', restsOn: ['sum.js'], state: 'not_met' }]];
    const models = await start({
      first: { architect: { conditions: more } },
      checks: () => rounds.shift() ?? [],
    });
    expect((await ask()).conditions).toMatchObject([
      { state: 'unknown', why: expect.stringContaining('not even when asked again') },
      { state: 'not_met', why: 'It is.' },
    ]);
    const asked = models.requests.filter(isCheck).map(textOf);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain('nothing was said yet: 1, 2.');
  });

  it.each([
    ['of which nothing is said', () => []],
    ['that nobody could check', new ToolError('NEXUS_MODEL_REFUSED', 'I will not.')],
  ])('%s is not met by work that is held to it, and unknown of other work', async (_, checks) => {
    await start({ checks });
    const { runs } = plugin.host;
    const states = async (isBinding: boolean) => {
      const conditions = [{ text: 'sum stays where it is', by: ['architect'] }];
      const input = { proposal: MATTER, conditions, work: '+1', isBinding };
      const { id } = await runs.start(voteConditions, input, { caller: { session: { id: 'session' } } });
      const { output } = await runs.wait(id, { signal: new AbortController().signal });
      return (output as VoteConditionsOutput).conditions;
    };
    expect(await states(true)).toMatchObject([
      { state: 'not_met', why: expect.stringContaining('held to it') },
    ]);
    expect(await states(false)).toMatchObject([{ state: 'unknown' }]);
  });

  it('of work to come is left to whoever carries on, who has it checked against the work', async () => {
    const models = await start({ first: { architect: UNDER }, checks: check('met', ['+  return a + b;']) });
    const { runs } = plugin.host;
    const caller = { session: { id: 'session' } };
    const ended = async (id: string) => {
      const { output, error } = await runs.wait(id, { signal: new AbortController().signal });
      if (error) throw new Error(error.message);
      return output as VoteOutput;
    };
    const held = await runs.start(vote, { proposal: MATTER, isBeforeWork: true }, { caller });
    const before = await ended(held.id);
    expect(before.conditions).toMatchObject([{ state: 'unknown', why: 'The work is still to be done.' }]);
    // True however they come out, since it is told beside what became of them.
    expect(before.why).toBe(
      '100% approve, more than half needed. It holds under a condition, to which the work is held.',
    );
    expect(models.requests.filter(isCheck)).toEqual([]);
    const { conditions } = before;
    const work = '-  return a - b;\n+  return a + b;';
    const checked = await runs.start(voteConditions, { proposal: MATTER, conditions, work }, { caller });
    const after = await ended(checked.id);
    expect(after.conditions).toMatchObject([{ state: 'met', by: ['architect'] }]);
    expect(JSON.stringify(models.requests.find(isCheck)?.prompt)).toContain(
      JSON.stringify(work).slice(1, -1),
    );
  });
});

const FLAW = { claim: 'It subtracts.', evidence: 'sum.js:3 has `return a - b;`' };
const OBJECTS = { decision: 'reject', objection: FLAW };

describe('an objection with evidence', () => {
  it('goes back once to the others, and the answer says how it was answered', async () => {
    const models = await start({ first: { catfish: OBJECTS } });
    const { decision, objections, summary } = await ask();
    expect(decision).toBe('approved');
    expect(objections).toMatchObject([
      { by: 'catfish', claim: 'It subtracts.', outcome: 'answered', answers: { length: 6 } },
    ]);
    expect(objections[0]?.answers[0]).toEqual({
      voter: 'architect',
      holds: false,
      because: 'It is guarded.',
    });
    expect(summary).toMatch(
      /\*\*Doubter \(catfish\)\*\* \(answered\): It subtracts\.[\s\S]*it does not hold: It is guarded/,
    );
    const again = models.requests.filter(isAgain);
    expect(again.map(voterOf)).toEqual(['architect', 'security', 'devex', 'ai_ml', 'pm', 'scope_steward']);
    for (const request of again) {
      expect(textOf(request)).toContain('sum.js:3 has `return a - b;`');
      expect(textOf(request)).not.toMatch(/catfish/i);
    }
  });

  it('is shown with what stands there, to those who were not shown that before', async () => {
    const models = await start({ first: { catfish: OBJECTS } });
    await ask();
    const shown = /Data from sum\.js, lines 1 to 4, as it stands there[\s\S]*3(?:\\t|\t) {2}return a - b;/;
    for (const request of models.requests.filter(isAgain)) expect(textOf(request)).toMatch(shown);
    await plugin.stop();
    const others = await start({ first: { catfish: OBJECTS } });
    await ask({ proposal: `${MATTER} As in sum.js:2.` });
    const again = others.requests.filter(isAgain);
    expect(again).toHaveLength(6);
    for (const request of again) expect(textOf(request)).not.toMatch(shown);
  });

  it('is one by a place without words where its voter saw that place, and not by one that it made up', async () => {
    const objection = { ...FLAW, evidence: 'sum.js:3' };
    await start({ first: { catfish: { ...OBJECTS, objection } } });
    expect((await ask()).objections).toMatchObject([{ outcome: 'no_evidence' }]);
    const shown = await ask({ proposal: `${MATTER} As in sum.js:2.` });
    expect(shown.objections).toMatchObject([{ outcome: 'answered' }]);
    await plugin.stop();
    await start({ first: { catfish: { ...OBJECTS, objection } }, reads: 'sum.js' });
    const opened = await ask({ proposal: `${MATTER} See ./sum.js.` });
    expect(opened.objections).toMatchObject([{ outcome: 'answered' }]);
  });

  it.each([
    'sum.js:3: return a - b;',
    'sum.js:3 return a - b;',
    "sum.js:3 says 'return a - b;'",
    '- sum.js:3: return a - b;',
    'sum.js:3\n> return a - b;',
    'sum.js:3 — return a - b;',
    'sum.js:3\n3\treturn a - b;',
    'It subtracts in sum.js:3, where one reads return a - b; and no plus.',
  ])('is one in each spelling of a place and its words, though nobody was shown it: %s', async (evidence) => {
    await start({ first: { catfish: { ...OBJECTS, objection: { ...FLAW, evidence } } } });
    expect((await ask()).objections).toMatchObject([{ outcome: 'answered' }]);
  });

  it('is upheld where more than half of the others hold it, however they vote', async () => {
    const holds = { objections: [{ because: 'It does subtract.', holds: true }] };
    await start({
      first: { catfish: OBJECTS },
      again: { architect: holds, security: holds, devex: holds, ai_ml: holds },
    });
    expect(await ask()).toMatchObject({
      decision: 'rejected',
      approval: 6 / 7,
      why: expect.stringContaining('The objection of catfish is upheld: 4 of 6 others hold it too.'),
      objections: [{ outcome: 'upheld' }],
    });
  });

  it('may change votes: those of the second time count', async () => {
    const turned = { decision: 'reject' };
    await start({
      first: { catfish: OBJECTS },
      again: { architect: turned, security: turned, devex: turned },
    });
    expect(await ask()).toMatchObject({
      decision: 'rejected',
      approval: 3 / 7,
      objections: [{ outcome: 'answered' }],
    });
  });

  it('that nobody could be asked about keeps anything from being decided', async () => {
    const away = new ToolError('NEXUS_MODEL_UNAVAILABLE', 'away');
    await start({
      first: { security: OBJECTS },
      again: { architect: away, scope_steward: away },
    });
    expect(await ask({ quickMode: true })).toMatchObject({
      decision: 'no_quorum',
      why: expect.stringContaining('was answered by nobody'),
      objections: [{ outcome: 'unanswered' }],
    });
  });

  it('needs no second time where nothing goes through', async () => {
    const against = { decision: 'reject' };
    const models = await start({
      first: { catfish: OBJECTS, architect: against, security: against, pm: against },
    });
    expect(await ask()).toMatchObject({ decision: 'rejected', objections: [{ outcome: 'heeded' }] });
    expect(models.requests.filter(isAgain)).toEqual([]);
  });

  it('may be what a command printed, where the voters were given that', async () => {
    const evidence = '$ npm test\n1 failing: adds two numbers';
    await start({ first: { catfish: { decision: 'reject', objection: { claim: 'It fails.', evidence } } } });
    expect(await ask({ ground: '> npm test\n1 failing: adds two numbers' })).toMatchObject({
      objections: [{ outcome: 'answered' }],
    });
  });

  it('of two voters goes from each to the other', async () => {
    const models = await start({ first: { catfish: OBJECTS, pm: OBJECTS } });
    const { objections } = await ask();
    expect(objections.map(({ by, answers }) => [by, answers.length])).toEqual([
      ['pm', 6],
      ['catfish', 6],
    ]);
    expect(models.requests.filter(isAgain).map(objectionsIn).sort()).toEqual([1, 1, 2, 2, 2, 2, 2]);
  });
});

describe('an objection that the others refute', () => {
  const panel = { quickMode: true };
  const first = { architect: UNDER, scope_steward: OBJECTS };

  it('leaves a condition standing that its voter does not repeat: it is checked, and binds', async () => {
    const models = await start({ first, checks: check('not_met') });
    expect(await ask(panel)).toMatchObject({
      decision: 'rejected',
      approval: 1 / 3,
      objections: [{ outcome: 'answered' }],
      conditions: [{ text: 'sum stays where it is', by: ['architect'], state: 'not_met' }],
      votes: [{ voter: 'architect', conditions: UNDER.conditions }, {}, {}],
    });
    expect(models.requests.filter(isCheck)).toHaveLength(1);
  });

  it('shows each voter its own first ballot, with its conditions by number, and nobody else’s', async () => {
    const models = await start({ first });
    await ask(panel);
    const again = (voter: VoterName) =>
      models.requests
        .filter((each) => isAgain(each) && voterOf(each) === voter)
        .map(textOf)
        .join('\n');
    expect(again('architect')).toMatch(
      /Data from your first ballot[^\n]*\n```\napprove: architect approves\.\nCondition 1: sum stays where it is\n```/,
    );
    expect(again('security')).toContain('approve: security approves.');
    expect(again('security')).not.toContain('sum stays where it is');
  });

  it('frees of a condition only whoever takes it back, which the answer says', async () => {
    const checks = check('not_met');
    const more = { conditions: ['sum stays where it is', 'it is told'] };
    await start({
      first: { ...first, architect: more },
      again: { architect: { takenBack: [1] } },
      checks,
    });
    const { conditions, votes, summary } = await ask(panel);
    expect(conditions).toMatchObject([{ text: 'it is told' }]);
    expect(votes[0]).toMatchObject({ conditions: ['it is told'], takenBack: ['sum stays where it is'] });
    expect(summary).toContain('- **taken back**: sum stays where it is (Architect).');
  });

  it('adds what its voter says anew to what it said before', async () => {
    await start({ first, again: { architect: { conditions: ['it is told'] } } });
    const { conditions } = await ask(panel);
    expect(conditions.map(({ text }) => text)).toEqual(['sum stays where it is', 'it is told']);
  });

  it('brings nobody over to what it speaks against: those ballots stay as they were', async () => {
    const against = { decision: 'reject' };
    await start({
      first: { catfish: OBJECTS, pm: against },
      again: { architect: against, security: against },
    });
    // Four of seven approve before, and two of those turn away; who was against it is so still.
    expect(await ask()).toMatchObject({ approval: 3 / 7, decision: 'rejected' });
  });
});

describe('an objection without evidence', () => {
  it.each([
    ['names no place', 'It feels wrong.'],
    ['names a place that is not there', 'src/gone.js:3 subtracts.'],
    ['names a line that is not there', 'sum.js:99 subtracts.'],
    ['names a place that is there beside one that is not', 'sum.js:3 and src/gone.js:3 subtract.'],
    ['quotes what does not stand there', 'sum.js:3 has `return a * b * c;`'],
    ['says without marks what does not stand there', 'sum.js:3: return a * b * c;'],
    ['shows what a command printed that nobody was given', '$ npm test\n1 failing: adds two numbers'],
    ['quotes the proposal', 'Keep the users’ settings and the scores of models in SQLite.'],
  ])('%s: it counts as its ballot, and nobody is asked again', async (_, evidence) => {
    const objection = { claim: 'No.', evidence };
    const models = await start({ first: { catfish: { decision: 'reject', objection } } });
    expect(await ask()).toMatchObject({
      decision: 'approved',
      objections: [{ by: 'catfish', outcome: 'no_evidence' }],
    });
    expect(models.requests.filter(isAgain)).toEqual([]);
  });
});
