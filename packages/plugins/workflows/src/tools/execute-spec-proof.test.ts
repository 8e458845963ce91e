import { definePlugin } from '@nexus/plugin-sdk';
import { type PluginUnderTest, scriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { lastText } from '../../test/dev-team.ts';
import { type FixtureRepository, fixtureRepository, TEST_COMMAND } from '../../test/fixture-repository.ts';
import { ADDS, prover, put, SUBTRACTS, SUMS, sumFiles, sumTest, type Turns } from '../../test/prover.ts';
import { scriptedExperts } from '../../test/scripted-experts.ts';
import { specJudge } from '../../test/spec-judge.ts';
import workflows from '../index.ts';
import { PROOF_JUDGE } from '../proof/prompts.ts';
import type { SpecOutput } from '../spec/spec-output.ts';

const SPEC = '- The sum of two numbers is their sum.\n- The sum has a name.\n';
const requirement = (id: string, quote: string) => ({
  id,
  text: quote,
  quote,
  line: 1,
  role: 'code',
  dependsOn: [],
});
const ADDS_UP = requirement('adds', 'The sum of two numbers is their sum.');
const NAMED = requirement('named', 'The sum has a name.');

type Answer = SpecOutput & { readonly summary: string };

let plugin: PluginUnderTest;
let repository: FixtureRepository;
afterEach(async () => {
  await plugin.stop();
  repository[Symbol.dispose]();
});

interface Given {
  readonly sum: string;
  readonly requirements?: readonly object[];
  readonly turns?: Turns;
  readonly commands?: object;
}

/** Every requirement is met, says a judge who looks at nothing. */
async function execute({
  sum,
  requirements = [ADDS_UP],
  turns = [],
  commands = { test: TEST_COMMAND },
}: Given) {
  repository = fixtureRepository(sumFiles(sum));
  const asProver = prover(...turns);
  const models = scriptedModels((request) => {
    const judged = specJudge(request, () => ({
      isMet: true,
      reason: 'It is there.',
      restsOn: ['E1'],
      answersAgainst: '-',
    }));
    if (judged) return judged;
    if (request.system?.startsWith('You see what several')) return { object: { contradictions: [] } };
    return asProver(request) ?? { object: { requirements } };
  });
  const experts = scriptedExperts(() => `It is so.\n\n## Evidence\n- sum.js:1: ${sum}`);
  const runs = [...(workflows.runs ?? []), experts];
  plugin = await startPlugin(definePlugin({ ...workflows, runs }), {
    models,
    projectRoot: repository.path,
    options: { commands },
  });
  return { answer: await plugin.answer<Answer>('execute_spec', { spec: SPEC }), models };
}

describe('a requirement that is judged to be met', () => {
  it('rests on what was run, where its test is green, and red once the code is broken', async () => {
    const { answer, models } = await execute({
      sum: SUMS,
      turns: [[sumTest(ADDS), put('sum.js', SUBTRACTS)]],
    });
    const judged = models.requests.filter(({ system }) => system?.includes(PROOF_JUDGE)).map(lastText);
    expect(judged).toHaveLength(1);
    expect(judged[0]?.match(/import \{ sum \} from/g)).toHaveLength(1);
    expect(answer.requirements).toMatchObject([
      { status: 'met', basis: 'ran', proof: { verdict: 'shown', tests: ['sum.test.js'] } },
    ]);
    expect(answer.summary).toContain('## adds: met (ran)');
    expect(answer.summary).toContain(
      'Proof: Run as things are: its test passed. Run with the code broken there: `test` failed, and passed without the test.',
    );
    expect(repository.git('branch', '--list').trim()).toBe('* main');
  });

  it('is not met where its test is red as things are, and no judge is asked who could say otherwise', async () => {
    const turn = [sumTest(ADDS)];
    const { answer, models } = await execute({ sum: SUBTRACTS, turns: [turn, turn] });
    expect(answer.requirements).toMatchObject([
      {
        status: 'not_met',
        basis: 'ran',
        restsOn: [],
        reason:
          'A test that was run shows that it does not hold. Run as things are: with a test written for it, `test` failed. By what was read alone it was judged to be met: It is there.',
        proof: { verdict: 'refuted', output: expect.stringContaining('two and three') },
      },
    ]);
    const judged = models.requests.filter(({ system }) => system?.startsWith('You judge whether'));
    expect(judged).toHaveLength(1);
  });

  it('rests on what was read where nothing may be run, and says what is missing, looked for once', async () => {
    const { answer } = await execute({ sum: SUMS, requirements: [ADDS_UP, NAMED], commands: {} });
    expect(answer.requirements).toMatchObject([
      { status: 'met', basis: 'read', proof: { verdict: 'not_run' } },
      { status: 'met', basis: 'read', proof: { verdict: 'not_run' } },
    ]);
    expect(answer.summary).toContain('Proof: Nothing was run: the config allows no command');
    const { runs } = await plugin.host.runs.list({ limit: 1 });
    const { children } = await plugin.host.runs.get(String(runs[0]?.id));
    expect(children.filter(({ kind }) => kind === 'workflows.prove')).toHaveLength(1);
  });
});
