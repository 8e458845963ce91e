// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written like that
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startWorkflows, type WorkflowsUnderTest } from '../../test/workflows-under-test.ts';

let plugin: WorkflowsUnderTest;
afterEach(() => plugin.stop());

const FOLDER = '.nexus/workflows';

const calling = (name: string, uses: string, given: string) => `
name: ${name}
description: Calls another.
inputs: [{ name: which, default: inner, description: Which. }]
steps:
  - { id: first, uses: 'tool:echo', with: { value: first } }
  - { id: called, uses: '${uses}', needs: [first], with: ${given} }
`;

const inner = (word: string) => `
name: inner
description: Says something.
steps: [{ id: say, uses: 'tool:note', with: { text: ${word} } }]
`;

const innerGraph = (word: string) => inner(word).replace('steps', 'nodes');

const INNER = `${FOLDER}/inner.yaml`;

const passOn = defineTool({
  name: 'pass_on',
  title: 'Pass on',
  description: 'Calls another tool.',
  input: z.object({
    tool: z.string().max(100).describe('Which.'),
    arguments: z.record(z.string().max(100), z.unknown()).describe('With what.'),
  }),
  output: z.object({ isError: z.boolean() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  budget: 'pipeline',
  async call({ tool, arguments: given }, { tools }: CallContext) {
    const { isError = false } = await tools.call(tool, { arguments: given });
    return { isError };
  },
});

/** Runs the first workflow of the files; what the others are is changed while its first step is under way. */
async function runWhile(
  files: Readonly<Record<string, string>>,
  change: (under: WorkflowsUnderTest) => void,
): Promise<readonly string[]> {
  plugin = await startWorkflows({ files, tools: [passOn] });
  plugin.calls.onCall = (what) => {
    if (what === 'echo "first"') change(plugin);
  };
  await plugin.answer('run_workflow', { template: 'outer' });
  return plugin.calls.all.filter((what) => what.startsWith('note'));
}

const remove = (file: string) => (under: WorkflowsUnderTest) =>
  rmSync(join(under.root, file), { force: true });
const rewrite = (file: string, text: string) => (under: WorkflowsUnderTest) => under.write(file, text);

describe.each([
  ['edited', rewrite(INNER, inner('other'))],
  ['deleted', remove(INNER)],
  ['broken', rewrite(INNER, 'steps: [')],
])('a workflow that a step calls and that is %s once the run has begun', (_, change) => {
  it.each([
    ['by its name', 'tool:run_workflow', '{ template: inner }'],
    ['by its path', 'tool:run_workflow', `{ template: ./${INNER} }`],
    ['by a name that is known only then', 'tool:run_workflow', "{ template: '${{ inputs.which }}' }"],
  ])('is run %s as it was', async (__, uses, given) => {
    const files = { [`${FOLDER}/outer.yaml`]: calling('outer', uses, given), [INNER]: inner('same') };
    expect(await runWhile(files, change)).toEqual(['note same']);
  });
});

it('is run as it was by a tool that the step gives the call to', async () => {
  const given = '{ tool: run_workflow, arguments: { template: inner } }';
  const files = { [`${FOLDER}/outer.yaml`]: calling('outer', 'tool:pass_on', given), [INNER]: inner('same') };
  expect(await runWhile(files, remove(INNER))).toEqual(['note same']);
});

it('calls a graph as it was', async () => {
  const files = {
    [`${FOLDER}/outer.yaml`]: calling('outer', 'tool:run_graph_workflow', '{ workflow: inner }'),
    [INNER]: innerGraph('same'),
  };
  expect(await runWhile(files, rewrite(INNER, innerGraph('other')))).toEqual(['note same']);
});

it('calls what a called one calls as it was when the first began, also in a run that does that one again', async () => {
  const files = {
    [`${FOLDER}/outer.yaml`]: calling('outer', 'tool:run_workflow', '{ template: middle }'),
    [`${FOLDER}/middle.yaml`]: calling('middle', 'tool:run_workflow', '{ template: inner }'),
    [INNER]: inner('same'),
  };
  expect(await runWhile(files, remove(INNER))).toEqual(['note same']);
  const { runs } = plugin.host;
  const [outer] = (await runs.list({ limit: 1 })).runs;
  const [middle] = (await runs.get(outer?.id ?? '')).children;
  const again = await runs.rerun(middle?.id ?? '');
  await runs.wait(again.id, { signal: AbortSignal.timeout(25_000) });
  expect(plugin.calls.all.filter((what) => what === 'note same')).toHaveLength(2);
});

it('calls what came only after it had begun as it is then', async () => {
  const files = { [`${FOLDER}/outer.yaml`]: calling('outer', 'tool:run_workflow', '{ template: inner }') };
  expect(await runWhile(files, rewrite(INNER, inner('late')))).toEqual(['note late']);
});

it('is told of two by one name, as it would have been when it began', async () => {
  const files = {
    [`${FOLDER}/outer.yaml`]: calling('outer', 'tool:run_workflow', '{ template: inner }'),
    [INNER]: inner('same'),
    [`${FOLDER}/too.yaml`]: inner('too'),
  };
  await expect(runWhile(files, remove(`${FOLDER}/too.yaml`))).rejects.toThrow('stands for 2 workflows');
});

it('leaves a call from outside to the files as they are', async () => {
  const files = {
    [`${FOLDER}/outer.yaml`]: calling('outer', 'tool:run_workflow', '{ template: inner }'),
    [INNER]: inner('same'),
  };
  expect(await runWhile(files, rewrite(INNER, inner('other')))).toEqual(['note same']);
  await plugin.answer('run_workflow', { template: 'inner' });
  await plugin.answer('run_workflow', { template: 'outer' });
  expect(plugin.calls.all.filter((what) => what === 'note other')).toHaveLength(2);
});
