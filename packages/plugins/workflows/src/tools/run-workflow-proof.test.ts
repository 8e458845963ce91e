// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written like that
import { type PluginUnderTest, scriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, expect, it } from 'vitest';
import { type FixtureRepository, fixtureRepository, TEST_COMMAND } from '../../test/fixture-repository.ts';
import { ADDS, NOTHING_ADDED, prover, put, SUBTRACTS, SUMS, sumFiles, sumTest } from '../../test/prover.ts';
import workflows from '../index.ts';

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
