// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written like that
import { definePlugin, defineTool } from '@nexus/plugin-sdk';
import { type PluginUnderTest, scriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
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
    expect(text.split('\n\n').slice(0, 2)).toEqual(['# The run', `## ${verdict}`]);
    const named = [...text.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(named).toEqual([...headings, 'decision', 'criteria', 'plan', 'tests']);
    expect(text).toContain(`## ${headings[1]}\n\n\`\`\`diff\ndiff --git a/sum.test.js b/sum.test.js\n`);
  },
);

it('bug-fix says first that it is mended and where, with the diff, and the commit is titled by the fault', async () => {
  repository = fixtureRepository(sumFiles(SUBTRACTS));
  const answer = prover([sumTest(NOTHING_ADDED, ADDS), put('sum.js', SUMS)]);
  const runs = [...(workflows.runs ?? []), scriptedExperts(() => 'It subtracts.')];
  const finding = (name: string) =>
    defineTool({
      name,
      title: 'Find',
      description: 'Finds nothing.',
      input: z.looseObject({}),
      output: z.object({ results: z.array(z.string()) }),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      budget: 'interactive',
      call: async () => ({ results: [] }),
    });
  const tools = [...(workflows.tools ?? []), finding('memory_query'), finding('search_usages')];
  plugin = await startPlugin(definePlugin({ ...workflows, tools, runs }), {
    models: scriptedModels((request) => answer(request) ?? new Error('somebody else was asked')),
    projectRoot: repository.path,
    options: { commands: { test: TEST_COMMAND } },
  });
  const args = { template: 'bug-fix', inputs: { report: '# sum(2, 3) is no 5.\n\nIt is -1.' } };
  const { content, structuredContent } = await plugin.call('run_workflow', args);
  const { branch } = (structuredContent as { readonly output: { readonly branch: string } }).output;
  const text = content[0]?.text ?? '';
  expect(text).toMatch(/^# bug-fix: .+\n\n## mended\n\nOn the branch `[^`]+`; your own tree is as it was\./);
  expect(text).toContain(`\`git merge ${branch}\`.\n\n## diff\n\n`);
  expect(text).toContain("Left out: usages (only if `inputs.symbol != ''`).");
  expect(repository.git('log', '-1', '--format=%s%n%b', branch)).toMatch(
    /^Mend: sum\(2, 3\) is no 5\.\nWith the test that shows it, round 1\.\n/,
  );
});

it('feature-implementation says under which conditions its plan was approved, whoever made them', async () => {
  repository = fixtureRepository(sumFiles(SUBTRACTS));
  const of = (text: string, by: string) =>
    ({ text, by: [by], state: 'unknown', why: 'To be done.' }) as const;
  const conditions = [of('The old name works.', 'devex'), of('It is told.', 'pm')];
  const runs = [
    ...(workflows.runs ?? []),
    scriptedExperts(() => 'Done.'),
    scriptedVote(() => 'approved', conditions),
  ];
  plugin = await startPlugin(definePlugin({ ...workflows, runs }), { projectRoot: repository.path });
  const args = { template: 'feature-implementation', inputs: { feature: 'A sum that adds.' } };
  const { output } = await plugin.answer<{ readonly output: Record<string, unknown> }>('run_workflow', args);
  expect(resultText('# The run', output)).toContain(
    '## decision\n\napproved\n\n## conditions\n\nThe old name works.\n\nIt is told.\n\n## criteria',
  );
});

it('what is empty is no part of the text of an answer, and what is zero or false is', () => {
  expect(resultText('# The run', { branch: null, note: '', count: 0, isGood: false })).toBe(
    '# The run\n\n**count**: 0\n\n**isGood**: false',
  );
});
