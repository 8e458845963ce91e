import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { verifiesApp } from '../harness/verifies.ts';

const OUTER = `
name: outer
description: Has another do something, and asks a person meanwhile.
steps:
  - { id: rest, uses: 'tool:run_workflow', with: { template: inner } }
  - { id: go, uses: ask, with: { message: 'Beside?' } }
outputs: { said: '\${{ steps.go.output.action }}' }
`;

const INNER = `
name: inner
description: Does two things, one after the other.
steps:
  - { id: first, uses: 'tool:box__it__late', with: { what: first } }
  - { id: last, uses: 'tool:box__it__late', needs: [first], with: { what: last } }
`;

/** A server whose only tool marks its beginning and its end, a moment later. */
const LATE = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
const [marks] = process.argv.slice(2);
const annotations = { readOnlyHint: false, openWorldHint: false };
const inputSchema = { type: 'object', properties: { what: { type: 'string' } } };
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'it', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [{ name: 'late', description: 'Marks.', annotations, inputSchema }] }),
  'tools/call': async ({ arguments: { what } }) => {
    appendFileSync(marks, what + ' begun\\n');
    await wait(1_500);
    appendFileSync(marks, what + ' ended\\n');
    return { content: [{ type: 'text', text: what }] };
  },
};
for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line);
  const result = id === undefined ? undefined : await (methods[method] ?? (() => ({})))(params);
  if (result) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
}
`;

verifiesApp(
  'workflows.wait',
  'a command ends at a question only once what goes on beside it is done',
  async () => {
    await using project = await makeProject({
      files: {
        '.nexus/workflows/outer.yaml': OUTER,
        '.nexus/workflows/inner.yaml': INNER,
        'late.mjs': LATE,
      },
    });
    const marks = project.path('marks');
    const it = { command: process.execPath, args: [project.path('late.mjs'), marks] };
    const toolboxes = { box: { description: 'One server.', mcpServers: { it } } };
    writeFileSync(project.path('nexus.config.json'), JSON.stringify({ toolboxes }));
    const marked = () => (existsSync(marks) ? readFileSync(marks, 'utf8').trim().split('\n') : []);
    const all = ['first begun', 'first ended', 'last begun', 'last ended'];

    const asked = await runNexus(project, ['run', '.nexus/workflows/outer.yaml']);
    expect(asked.exitCode, asked.stderr).toBe(75);
    expect(asked.stderr + asked.stdout).toContain('Beside?');
    expect(marked()).toEqual(all);
    const [run] = JSON.parse((await runNexus(project, ['runs', '--json', '--limit', '1'])).stdout).runs;
    expect(run).toMatchObject({ status: 'waiting' });
    const answered = await runNexus(project, ['runs', 'answer', run.id, 'yes']);
    expect(answered.exitCode, answered.stderr + answered.stdout).toBe(0);
    expect(marked()).toEqual(all);
  },
);
