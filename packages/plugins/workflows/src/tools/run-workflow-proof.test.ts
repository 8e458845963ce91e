// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written like that
import { definePlugin } from '@nexus/plugin-sdk';
import { type PluginUnderTest, scriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, expect, it } from 'vitest';
import { scriptedVote } from '../../test/dev-team.ts';
import { type FixtureRepository, fixtureRepository, TEST_COMMAND } from '../../test/fixture-repository.ts';
import { ADDS, NOTHING_ADDED, prover, put, SUBTRACTS, SUMS, sumFiles, sumTest } from '../../test/prover.ts';
import { scriptedExperts } from '../../test/scripted-experts.ts';
import workflows from '../index.ts';
import { resultText } from './summary.ts';

let plugin: PluginUnderTest;
let repository: FixtureRepository;
afterEach(async () => {
  await plugin.stop();
  repository[Symbol.dispose]();
});

const FILE = [
  'name: shown',
  'description: Shows a fault by running.',
  'inputs: [{ name: report, required: true, description: The fault }]',
  'steps:',
  '  - id: proof',
  '    uses: prove',
  "    with: { kind: mend, claim: '${{ inputs.report }}', context: { lines: [1, 2] } }",
  'outputs:',
  '  why: ${{ steps.proof.output.why }}',
  '  branch: ${{ steps.proof.output.branch }}',
].join('\n');

interface Answer {
  readonly output: { readonly why: string; readonly branch: string | null };
}

async function run(commands: object) {
  repository = fixtureRepository({ ...sumFiles(SUBTRACTS), '.nexus/workflows/shown.yaml': FILE });
  const answer = prover([sumTest(NOTHING_ADDED, ADDS), put('sum.js', SUMS)]);
  plugin = await startPlugin(workflows, {
    models: scriptedModels((request) => answer(request) ?? new Error('somebody else was asked')),
    projectRoot: repository.path,
    options: { commands },
  });
  const inputs = { report: 'sum(2, 3) is no 5.' };
  return plugin.answer<Answer>('run_workflow', { template: 'shown', inputs });
}

it('a step of a workflow shows a fault and its mend by running, and leaves a branch', async () => {
  const { output } = await run({ test: TEST_COMMAND });
  expect(output.why).toBe('Run as things are, with its test: `test` failed. Run with the mend: passed.');
  expect(repository.git('show', `${output.branch}:sum.js`)).toBe(SUMS);
});

it('such a step says that nothing was run, and ends none, where the config allows no command', async () => {
  const { output } = await run({});
  expect(output).toEqual({
    why: expect.stringContaining('Nothing was run: the config allows no'),
    branch: null,
  });
});

it.each([
  ['shown', sumTest(NOTHING_ADDED, ADDS), ['shown', 'failing']],
  ['not_shown', sumTest(NOTHING_ADDED, NOTHING_ADDED), ['not_shown', 'tried']],
] as const)(
  'feature-implementation is headed by its verdict, %s, and calls what was written by what it is',
  async (verdict, test, headings) => {
    repository = fixtureRepository(sumFiles(SUBTRACTS));
    const answer = prover([test], [test]);
    const runs = [...(workflows.runs ?? []), scriptedExperts(() => 'Done.'), scriptedVote()];
    plugin = await startPlugin(definePlugin({ ...workflows, runs }), {
      models: scriptedModels((request) => answer(request) ?? new Error('somebody else was asked')),
      projectRoot: repository.path,
      options: { commands: { test: TEST_COMMAND } },
    });
    const inputs = { feature: 'A sum that adds.' };
    const args = { template: 'feature-implementation', inputs };
    const { output } = await plugin.answer<{ readonly output: Record<string, unknown> }>(
      'run_workflow',
      args,
    );
    const text = resultText('# The run', output);
    expect(text.split('\n')[0]).toBe(`## ${verdict}`);
    const named = [...text.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(named).toEqual([...headings, 'decision', 'criteria', 'plan', 'tests']);
  },
);

it('what is empty is no part of the text of an answer, and what is zero or false is', () => {
  expect(resultText('# The run', { branch: null, note: '', count: 0, isGood: false })).toBe(
    '**count**: 0\n\n**isGood**: false\n\n# The run',
  );
});
