import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, vi } from 'vitest';
import { PATIENCE } from '../harness/expert-kill.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { shareProject } from '../harness/shared-project.ts';
import { verifiesApp } from '../harness/verifies.ts';

const level = (name: string, next: string) => `
name: ${name}
description: Does something once, and has another do the rest.
steps:
  - { id: first, uses: 'tool:box__it__mark', with: { what: ${name} } }
  - { id: rest, uses: 'tool:run_workflow', needs: [first], with: { template: ${next} } }
`;

const INNER = `
name: inner
description: Does two things once.
steps:
  - { id: first, uses: 'tool:box__it__mark', with: { what: inner } }
  - { id: last, uses: 'tool:box__it__mark', needs: [first], with: { what: last } }
`;

/** A server whose only tool counts its calls in a file, and never answers a \`last\` while another file is there. */
const COUNTING = `
import { appendFileSync, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
const [marks, hold] = process.argv.slice(2);
const annotations = { readOnlyHint: false, openWorldHint: false };
const inputSchema = { type: 'object', properties: { what: { type: 'string' } } };
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'it', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [{ name: 'mark', description: 'Counts.', annotations, inputSchema }] }),
  'tools/call': ({ arguments: { what } }) => {
    appendFileSync(marks, what + '\\n');
    return what === 'last' && existsSync(hold) ? undefined : { content: [{ type: 'text', text: what }] };
  },
};
for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line);
  const result = id === undefined ? undefined : (methods[method] ?? (() => ({})))(params);
  if (result) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
}
`;

verifiesApp(
  'workflows.within',
  'three within one another go on whole after a cancel and after a kill -9, and tell once of what nobody knows',
  async () => {
    await using project = await shareProject({
      files: {
        '.nexus/workflows/outer.yaml': level('outer', 'middle'),
        '.nexus/workflows/middle.yaml': level('middle', 'inner'),
        '.nexus/workflows/inner.yaml': INNER,
        'counting.mjs': COUNTING,
      },
      config: {},
    });
    const marks = project.path('marks');
    const hold = project.path('hold');
    const args = [project.path('counting.mjs'), marks, hold];
    const it = { command: process.execPath, args };
    const toolboxes = { box: { description: 'One server.', mcpServers: { it } } };
    writeFileSync(project.path('nexus.config.json'), JSON.stringify({ toolboxes }));
    const counted = () => {
      const lines = existsSync(marks) ? readFileSync(marks, 'utf8').split('\n').slice(0, -1) : [];
      const of = (what: string) => lines.filter((line) => line === what).length;
      return [of('outer'), of('middle'), of('inner'), of('last')];
    };
    const newest = async (): Promise<string> =>
      JSON.parse((await runNexus(project, ['runs', '--json', '--limit', '1'])).stdout).runs[0].id;
    const held = async (server: Awaited<ReturnType<typeof project.host>>) => {
      writeFileSync(marks, '');
      writeFileSync(hold, '');
      server.session.call('run_workflow', { template: 'outer' }).catch(() => {});
      await vi.waitFor(() => expect(counted()).toEqual([1, 1, 1, 1]), PATIENCE);
      return newest();
    };
    /** Told once, by one text, and then done. */
    const goesOn = async (server: Awaited<ReturnType<typeof project.host>>, id: string) => {
      rmSync(hold);
      const told = (await server.session.call('resume_run', { runId: id })).result;
      const text = JSON.stringify(told.content);
      expect(told.isError, text).toBe(true);
      expect(text).toContain('its step \\"last#1/call\\"');
      expect(text.match(/resume_run goes on from there/g)).toHaveLength(1);
      expect(counted()).toEqual([1, 1, 1, 1]);
      const done = (await server.session.call('resume_run', { runId: id })).result;
      expect(done.isError, JSON.stringify(done)).not.toBe(true);
      expect(counted()).toEqual([1, 1, 1, 2]);
    };

    const first = await project.host();
    const cancelled = await held(first);
    await runNexus(project, ['runs', 'cancel', cancelled]);
    const { stderr: preview } = await runNexus(project, ['runs', 'rerun', cancelled]);
    expect(preview).toMatch(/Of unknown outcome, .*: last$/m);
    expect(preview.match(/goes on with run/g)).toHaveLength(2);
    await goesOn(first, cancelled);

    const killed = await held(first);
    first.child.kill('SIGKILL');
    await first.exit();
    const second = await project.host();
    const failed = async () => JSON.parse((await runNexus(project, ['runs', killed, '--json'])).stdout);
    await vi.waitFor(async () => expect(await failed()).toMatchObject({ status: 'failed' }), PATIENCE);
    expect((await failed()).error.code).toBe('NEXUS_OUTCOME_UNKNOWN');
    rmSync(hold);
    expect(counted()).toEqual([1, 1, 1, 1]);
    const { result } = await second.session.call('resume_run', { runId: killed });
    expect(result.isError, JSON.stringify(result)).not.toBe(true);
    expect(counted()).toEqual([1, 1, 1, 2]);
  },
);
