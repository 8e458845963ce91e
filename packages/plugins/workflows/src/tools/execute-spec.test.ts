import { rmSync } from 'node:fs';
import { definePlugin, type ExpertTurnInput, ToolError } from '@nexus/plugin-sdk';
import {
  leaveRun,
  type PluginUnderTest,
  type ScriptedAnswer,
  scriptedModels,
  startPlugin,
} from '@nexus/testing';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { lastText } from '../../test/dev-team.ts';
import { type FixtureRepository, fixtureRepository } from '../../test/fixture-repository.ts';
import { scriptedExperts } from '../../test/scripted-experts.ts';
import { specJudge } from '../../test/spec-judge.ts';
import workflows from '../index.ts';
import type { SpecOutput } from '../spec/spec-output.ts';

const SPEC = [
  '# Sums', // 1
  '', // 2
  '- The sum of two numbers is their sum.', // 3
  '- A text is refused', // 4
  '  with a message.', // 5
  '- The README says so.', // 6
  '', // 7
  'Every change must be tested.', // 8
].join('\n');

const requirement = (id: string, quote: string, also = {}) => ({
  id,
  text: `TEXT-${id}`,
  quote,
  line: 3,
  role: 'code',
  dependsOn: [],
  ...also,
});

const THREE = [
  requirement('adds', 'The sum of two numbers is their sum.'),
  requirement('refuses', 'A text is refused with a message.', { role: 'testing' }),
  requirement('readme', 'The README says so.', { role: 'documentation', dependsOn: ['adds', 'refuses'] }),
];

const SHOWN = 'It is so.\n\n## Evidence\n- sum.js:1: export const sum = (a, b) => a - b;\n';
const MET = { isMet: true, reason: 'Shown.', restsOn: ['E1'] };

type Answer = SpecOutput & { readonly runId: string; readonly summary: string; readonly status: string };

let plugin: PluginUnderTest;
let repository: FixtureRepository;
afterEach(async () => {
  await plugin.stop();
  repository[Symbol.dispose]();
});

interface Given {
  readonly requirements?: readonly (readonly object[])[];
  readonly verdict?: (prompt: string) => object;
  /** Of a judge of several, what one answer says against another requirement. */
  readonly says?: (prompt: string) => readonly object[];
  readonly crossCheck?: (prompt: string) => readonly object[];
  readonly expert?: (input: ExpertTurnInput, count: number) => string | Error;
}

async function start({
  requirements = [THREE],
  verdict = () => MET,
  expert = () => SHOWN,
  crossCheck = () => [],
  says = () => [],
}: Given = {}) {
  repository = fixtureRepository();
  let read = 0;
  const models = scriptedModels((request): ScriptedAnswer => {
    const judged = specJudge(request, verdict, says);
    if (judged) return judged;
    if (request.system?.startsWith('You see what several')) {
      return { object: { contradictions: crossCheck(lastText(request)) } };
    }
    read += 1;
    return { object: { requirements: requirements[Math.min(read, requirements.length) - 1] } };
  });
  const experts = scriptedExperts(expert);
  const whole = definePlugin({ ...workflows, runs: [...(workflows.runs ?? []), experts] });
  plugin = await startPlugin(whole, { models, projectRoot: repository.path });
  return { models, turns: experts.turns };
}

const statuses = ({ requirements }: Answer) => requirements.map(({ id, status }) => `${id} ${status}`);

describe('execute_spec', () => {
  it('does each requirement in the order of its needs, and says of each whether it is met, and by what', async () => {
    const { models, turns } = await start();
    const answer = await plugin.answer<Answer>('execute_spec', { spec: SPEC });
    expect(answer.status).toBe('met');
    expect(answer.dag.levels).toEqual([['adds', 'refuses'], ['readme']]);
    expect(answer.requirements).toMatchObject([
      {
        id: 'adds',
        lines: { from: 3, to: 3 },
        status: 'met',
        restsOn: ['E1'],
        evidence: [{ file: 'sum.js', line: 1, isVerified: true }],
      },
      { id: 'refuses', lines: { from: 4, to: 5 }, status: 'met' },
      { id: 'readme', lines: { from: 6, to: 6 }, status: 'met' },
    ]);
    expect(turns.map(({ role }) => role).sort()).toEqual(['code', 'documentation', 'testing']);
    expect(turns[2]?.role).toBe('documentation');
    expect(turns[0]?.assignment.earlier).toEqual([]);
    expect(turns[2]?.assignment.earlier?.map(({ from }) => from)).toEqual(['code: adds', 'testing: refuses']);
    expect(answer.uncovered).toEqual([{ lines: { from: 8, to: 8 }, text: 'Every change must be tested.' }]);
    expect(answer.summary).toMatch(/^# 3 of 3 requirements met/);
    const judged = models.requests.filter(({ system }) => system?.startsWith('You judge')).map(lastText);
    // Those side by side by one judge, what needs them by another, who sees nothing of them.
    expect(judged).toHaveLength(2);
    expect(judged[0]).toMatch(/the requirement adds;[\s\S]*TEXT-adds[\s\S]*TEXT-refuses/);
    expect(judged[0]?.match(/E1 sum\.js:1: export const sum/g)).toHaveLength(2);
    // What stands around places of the same lines is shown once.
    expect(judged[0]?.match(/as they stand there/g)).toHaveLength(1);
    expect(judged[1]).toContain('TEXT-readme');
    expect(judged[1]).not.toMatch(/TEXT-(adds|refuses)/);
    expect(judged.join()).not.toContain('Every change must be tested.');
  });

  it('leaves out what needs a requirement that is not met, and says so', async () => {
    const { turns } = await start({
      verdict: (prompt) =>
        prompt.includes('TEXT-adds') ? { isMet: false, reason: 'It subtracts.', restsOn: ['E1'] } : MET,
    });
    const answer = await plugin.answer<Answer>('execute_spec', { spec: SPEC });
    expect(statuses(answer)).toEqual(['adds not_met', 'refuses met', 'readme blocked']);
    expect(answer.requirements[2]?.reason).toBe('Not begun, since it needs adds.');
    expect(turns).toHaveLength(2);
    expect(answer.status).toBe('not_met');
  });

  it('counts for nothing what can’t be verified, whatever the judge says', async () => {
    await start({
      requirements: [[THREE[0] ?? {}]],
      expert: () =>
        'Done.\n\n## Evidence\n- sum.js:1: export const sum = (a, b) => a + b;\n- ../secret:1: x y z\n- none.js:4: abc\n',
    });
    const answer = await plugin.answer<Answer>('execute_spec', { spec: SPEC });
    expect(answer.requirements[0]).toMatchObject({
      status: 'not_met',
      reason: expect.stringContaining('it rests on no place that is there and that its judge saw'),
      evidence: [
        { isVerified: false, fault: 'this text does not stand in the file' },
        { isVerified: false, fault: 'there is no such file' },
        { isVerified: false, fault: 'there is no such file' },
      ],
    });
  });

  it('goes on where one expert’s model refuses, and says which requirement failed', async () => {
    await start({
      expert: ({ role }) =>
        role === 'testing' ? new ToolError('NEXUS_MODEL_REFUSED', 'I will not.') : SHOWN,
    });
    const answer = await plugin.answer<Answer>('execute_spec', { spec: SPEC });
    expect(statuses(answer)).toEqual(['adds met', 'refuses failed', 'readme blocked']);
    expect(answer.requirements[1]?.reason).toContain('I will not.');
  });

  it('gives requirements that do not hold back once, and then leaves out what stands nowhere', async () => {
    const invented = requirement('invented', 'Nobody wrote this sentence.');
    const { models } = await start({ requirements: [[...THREE, invented]] });
    const answer = await plugin.answer<Answer>('execute_spec', { spec: SPEC });
    expect(lastText(models.requests[1] ?? { prompt: '' })).toMatch(
      /invented quotes "Nobody wrote this sentence\.", which does not stand in the specification/,
    );
    expect(answer.requirements).toHaveLength(3);
    expect(answer.leftOut).toEqual([
      {
        id: 'invented',
        text: 'TEXT-invented',
        reason: 'it quotes "Nobody wrote this sentence.", which does not stand in the specification',
      },
    ]);
  });

  it('has no requirement that a specification with numbers does not number, however it is quoted', async () => {
    const spec = [
      '- R-1: The sum of two numbers is their sum.',
      '- R-2: A text is refused with a message.',
      '- R-3: sum MUST return NaN for what is no number.',
    ].join('\n');
    const own = [
      requirement('R-1', 'The sum of two numbers is their sum.'),
      requirement('R-2', 'A text is refused with a message.'),
      requirement('R-3', 'sum MUST return NaN for what is no number.'),
    ];
    const { models } = await start({ requirements: [[...own, requirement('R-4', 'for what is no number')]] });
    const answer = await plugin.answer<Answer>('execute_spec', { spec });
    expect(lastText(models.requests[1] ?? { prompt: '' })).toContain(
      'R-4 quotes "for what is no number", words of R-3, which is another requirement',
    );
    expect(answer.summary).toMatch(/^# 3 of 3 requirements met/);
    expect(answer.leftOut).toMatchObject([{ id: 'R-4' }]);
  });

  it('names a circle to the model, and then breaks it and says where', async () => {
    const circle = THREE.map((each) => (each.id === 'adds' ? { ...each, dependsOn: ['readme'] } : each));
    const { models } = await start({ requirements: [circle] });
    const answer = await plugin.answer<Answer>('execute_spec', { spec: SPEC });
    expect(lastText(models.requests[1] ?? { prompt: '' })).toContain(
      'these wait for each other in a circle: adds, readme',
    );
    expect(answer.dag.broken).toEqual([{ from: 'readme', to: 'adds' }]);
    expect(answer.summary).toContain('These needs closed a circle and were not honoured: readme on adds.');
    expect(statuses(answer)).toEqual(['adds met', 'refuses met', 'readme met']);
  });

  it('reads a specification by its form in a dry run, without a model and without a run', async () => {
    const { models } = await start();
    const answer = await plugin.answer<{ status: string; items: object[]; summary: string }>('execute_spec', {
      spec: SPEC,
      dryRun: true,
    });
    expect(answer.items).toMatchObject([
      {
        id: 'S1',
        text: 'The sum of two numbers is their sum.',
        lines: { from: 3, to: 3 },
        section: ['Sums'],
      },
      { id: 'S2', text: 'A text is refused with a message.', lines: { from: 4, to: 5 } },
      { id: 'S3', lines: { from: 6, to: 6 } },
      { id: 'S4', text: 'Every change must be tested.', lines: { from: 8, to: 8 } },
    ]);
    expect(answer).not.toHaveProperty('runId');
    expect(models.requests).toEqual([]);
    expect((await plugin.host.runs.list({ limit: 1 })).total).toBe(0);
  });

  it('shows its judge the code around each place, for and against', async () => {
    const { models, turns } = await start({
      requirements: [[THREE[0] ?? {}]],
      expert: () =>
        `${SHOWN}\n## Against\n- sum.test.js:3: assert.equal(sum(2, 3), 5\n- sum.js:9: not there\n`,
      verdict: () => ({ ...MET, answersAgainst: 'E1 does it, whatever the test asks.' }),
    });
    const { requirements } = await plugin.answer<Answer>('execute_spec', { spec: SPEC });
    expect(requirements[0]).toMatchObject({
      status: 'met',
      basis: 'read',
      against: [{ file: 'sum.test.js', isVerified: true }, { isVerified: false }],
    });
    const judged = models.requests.find(({ system }) => system?.includes('You judge'));
    const prompt = lastText(judged ?? { prompt: '' });
    expect(prompt).toContain('A1 sum.test.js:3: assert.equal(sum(2, 3), 5');
    expect(prompt).not.toContain('A2 ');
    expect(prompt).toMatch(
      /Data from sum\.js, lines 1 to \d+, as they stand there[\s\S]*1\texport const sum/,
    );
    expect(turns[0]?.assignment.task).toMatch(/^Find out whether the requirement is met/);
    expect(turns[0]?.assignment.task).not.toContain('See to it');
    expect(turns[0]?.assignment.whereItWrites).toContain('bring it about');
  });

  it('marks what a judge names and is not in the project', async () => {
    const verdict = { ...MET, reason: 'See sum.js:1 and src/none.js:4. I ran it.' };
    await start({ requirements: [THREE.slice(0, 1)], verdict: () => verdict });
    const answer = await plugin.answer<Answer>('execute_spec', { spec: SPEC });
    expect(answer.requirements).toMatchObject([
      { reason: 'See sum.js:1 and src/none.js:4 (not found). I ran it (nothing was run).', restsOn: ['E1'] },
    ]);
  });

  it('keeps the ids that the specification has', async () => {
    const ids = [
      requirement('R-1', 'The sum of two numbers is their sum.'),
      requirement('AC_2.1', 'The README says so.', { dependsOn: ['R-1'] }),
    ];
    await start({ requirements: [ids] });
    const answer = await plugin.answer<Answer>('execute_spec', { spec: SPEC });
    expect(statuses(answer)).toEqual(['R-1 met', 'AC_2.1 met']);
    expect(answer.dag.levels).toEqual([['R-1'], ['AC_2.1']]);
  });

  describe('those that are judged together', () => {
    const SIX = SPEC.concat('\n- It has a name.\n- It is quick.\n- It is small.');
    const of = (id: string, quote: string) => requirement(id, quote);
    const many = [
      ...THREE.slice(0, 2),
      of('named', 'It has a name.'),
      of('quick', 'It is quick.'),
      of('small', 'It is small.'),
    ];

    it('are four at most, and no others hold their answers against each other where one judge saw them all', async () => {
      const { models } = await start({ requirements: [many.slice(0, 4)] });
      await plugin.answer<Answer>('execute_spec', { spec: SIX });
      expect(models.requests.map(({ system }) => system?.slice(0, 18))).toEqual([
        'You take a specifi',
        'You judge of each ',
      ]);
      await plugin.stop();
      repository[Symbol.dispose]();
      const { models: asked } = await start({ requirements: [many] });
      expect(statuses(await plugin.answer<Answer>('execute_spec', { spec: SIX }))).toHaveLength(5);
      expect(asked.requests.map(({ system }) => system?.slice(0, 18)).sort()).toEqual([
        'You judge of each ',
        'You judge whether ',
        'You see what sever',
        'You take a specifi',
      ]);
    });

    it('are judged anew where their judge says that another answer speaks against one', async () => {
      const WORDS = 'sum() subtracts its second number';
      const said = { requirement: 'adds', by: 'refuses', words: WORDS };
      await start({
        requirements: [THREE.slice(0, 2)],
        says: () => [said, said, { ...said, words: 'Nobody has said these words.' }],
        expert: ({ role }) => (role === 'testing' ? `By the way, ${WORDS}.\n${SHOWN}` : SHOWN),
        verdict: (prompt) =>
          prompt.includes('Data from what speaks against it')
            ? { isMet: false, reason: 'It subtracts.', restsOn: ['E1'] }
            : MET,
      });
      const answer = await plugin.answer<Answer>('execute_spec', { spec: SPEC });
      expect(statuses(answer)).toEqual(['adds not_met', 'refuses met']);
      expect(answer.contradictions).toEqual([{ ...said, settled: 'It is not met. It subtracts.' }]);
    });

    it('are each what is said of it, and alone where nothing or two things are', async () => {
      const { models } = await start({
        requirements: [many.slice(0, 4)],
        verdict: (prompt) => {
          if (prompt.startsWith('refuses;')) return { isMet: false, reason: 'It is not.', restsOn: ['E1'] };
          if (prompt.startsWith('named;')) return { ...MET, requirement: 'nobody' };
          if (prompt.startsWith('quick;')) return { ...MET, requirement: 'adds' };
          return MET;
        },
      });
      const answer = await plugin.answer<Answer>('execute_spec', { spec: SIX });
      expect(statuses(answer)).toEqual(['adds met', 'refuses not_met', 'named met', 'quick met']);
      const alone = models.requests.filter(({ system }) => system?.startsWith('You judge whether'));
      expect(alone.map((each) => /TEXT-\w+/.exec(lastText(each))?.[0])).toEqual([
        'TEXT-adds',
        'TEXT-named',
        'TEXT-quick',
      ]);
    });
  });

  describe('a requirement that is alone', () => {
    const WORDS = 'sum() subtracts its second number';

    it('is judged anew where its judge says that its own answer speaks against it', async () => {
      const { models } = await start({
        requirements: [THREE.slice(0, 1)],
        expert: () => `It adds, but ${WORDS}.\n${SHOWN}`,
        verdict: (prompt) =>
          prompt.includes('Data from what speaks against it')
            ? { isMet: false, reason: 'It subtracts.', restsOn: ['E1'] }
            : { ...MET, speaksAgainst: [WORDS, 'Nobody has said these words.'] },
      });
      const answer = await plugin.answer<Answer>('execute_spec', { spec: SPEC });
      expect(statuses(answer)).toEqual(['adds not_met']);
      expect(answer.contradictions).toEqual([
        { requirement: 'adds', by: 'adds', words: WORDS, settled: 'It is not met. It subtracts.' },
      ]);
      expect(models.requests.map(({ system }) => system?.slice(0, 18))).toEqual([
        'You take a specifi',
        'You judge whether ',
        'You judge whether ',
      ]);
    });

    it('has one judge where nothing speaks against it', async () => {
      const { models } = await start({ requirements: [THREE.slice(0, 1)] });
      expect(statuses(await plugin.answer<Answer>('execute_spec', { spec: SPEC }))).toEqual(['adds met']);
      expect(models.requests).toHaveLength(2);
    });
  });

  describe('a requirement that was judged to be met, against which another’s answer speaks', () => {
    const WORDS = 'sum() subtracts its second number';
    const said = { requirement: 'adds', by: 'refuses', words: WORDS };
    const contradicted = (crossCheck: readonly object[], again: object) =>
      start({
        crossCheck: () => crossCheck,
        expert: ({ role }) => (role === 'testing' ? `By the way, ${WORDS}.\n${SHOWN}` : SHOWN),
        verdict: (prompt) => (prompt.includes('Data from what speaks against it') ? again : MET),
      });

    it('is judged anew with its words, and not met where they hold', async () => {
      const { models } = await contradicted([said], {
        isMet: false,
        reason: 'It subtracts.',
        restsOn: ['E1'],
      });
      const answer = await plugin.answer<Answer>('execute_spec', { spec: SPEC });
      expect(statuses(answer)).toEqual(['adds not_met', 'refuses met', 'readme met']);
      expect(answer.contradictions).toEqual([{ ...said, settled: 'It is not met. It subtracts.' }]);
      expect(answer.summary).toContain(`refuses says against adds: “${WORDS}” It is not met.`);
      const again = models.requests
        .map(lastText)
        .find((prompt) => prompt.includes('Data from what speaks against it'));
      expect(again).toContain(`refuses: ${WORDS}`);
    });

    it('is not met either where a hasty judge does not answer them', async () => {
      await contradicted([said], MET);
      const { requirements } = await plugin.answer<Answer>('execute_spec', { spec: SPEC });
      expect(requirements[0]).toMatchObject({
        status: 'not_met',
        reason: expect.stringContaining('what speaks against it was not answered'),
      });
    });

    it('is judged anew with words of its own answer too', async () => {
      const own = { ...said, by: 'adds' };
      await start({
        crossCheck: () => [own],
        expert: ({ assignment }) =>
          JSON.stringify(assignment).includes('TEXT-adds') ? `Met, though ${WORDS}.\n${SHOWN}` : SHOWN,
        verdict: (prompt) =>
          prompt.includes('Data from what speaks against it')
            ? { isMet: false, reason: 'It subtracts.', restsOn: ['E1'] }
            : MET,
      });
      const answer = await plugin.answer<Answer>('execute_spec', { spec: SPEC });
      expect(answer.requirements[0]).toMatchObject({ id: 'adds', status: 'not_met' });
      expect(answer.contradictions).toEqual([{ ...own, settled: 'It is not met. It subtracts.' }]);
      expect(answer.summary).toContain(`adds says against itself: “${WORDS}” It is not met.`);
    });

    it('stays met where nobody said these words', async () => {
      await contradicted([{ ...said, words: 'Nobody has said these words.' }], {
        isMet: false,
        reason: 'No.',
        restsOn: [],
      });
      const answer = await plugin.answer<Answer>('execute_spec', { spec: SPEC });
      expect(statuses(answer)).toEqual(['adds met', 'refuses met', 'readme met']);
      expect(answer.contradictions).toEqual([]);
    });
  });

  it('is refused before any model is paid where it asks for more than anybody could see to', async () => {
    const { models } = await start();
    const spec = '- It must be.\n'.repeat(2_001);
    for (const dryRun of [true, false]) {
      const { isError, content } = await plugin.call('execute_spec', { spec, dryRun });
      expect(isError).toBe(true);
      expect(content[0]).toMatchObject({ text: expect.stringContaining('more than 2000 places') });
    }
    expect(models.requests).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5])(
    'ends a run of version %i, which is no more, with a word on what to do',
    async (version) => {
      repository = fixtureRepository();
      const left = await leaveRun({
        kind: { name: 'workflows.spec', version },
        input: { spec: SPEC },
        steps: [{ name: 'requirements', output: {} }],
      });
      const runs = [...(workflows.runs ?? []), scriptedExperts(() => SHOWN)];
      const { dataDir } = left;
      onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
      const models = scriptedModels(() => new Error('asked again'));
      plugin = await startPlugin(definePlugin({ ...workflows, runs }), { dataDir, models });
      await expect(plugin.resume(left.id)).rejects.toThrow(
        `an earlier version of Nexus (workflows.spec, version ${version})`,
      );
    },
  );

  it('says what is missing, without experts as without a specification', async () => {
    repository = fixtureRepository();
    plugin = await startPlugin(workflows, { models: scriptedModels(['x']), projectRoot: repository.path });
    const alone = await plugin.call('execute_spec', { spec: SPEC });
    expect(alone.content[0]?.text).toContain('needs the plugin "experts", which is not there');
    const none = await plugin.call('execute_spec', { dryRun: true });
    expect(none._meta?.['nexus/error']).toMatchObject({ code: 'NEXUS_INVALID_ARGUMENTS' });
  });
});
