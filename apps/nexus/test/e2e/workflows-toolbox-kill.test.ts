import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fakeServer } from '@nexus/testing';
import { expect, vi } from 'vitest';
import { PATIENCE } from '../harness/expert-kill.ts';
import { rowsOf } from '../harness/run-record.ts';
import { shareProject } from '../harness/shared-project.ts';
import { verifiesApp } from '../harness/verifies.ts';

const flow = (name: string, tool: string, kind: 'steps' | 'nodes') => `
name: ${name}
description: Calls a tool of a toolbox that nobody opened.
${kind}: [{ id: it, uses: 'tool:box__it__${tool}', with: { a: ${name} } }]
`;

const tools = [
  { name: 'look', description: 'Looks.', annotations: { readOnlyHint: true } },
  { name: 'change', description: 'Changes.', annotations: { readOnlyHint: false } },
];

const CALLS = {
  run_workflow: [{ template: 'reads' }, { template: 'writes' }],
  run_graph_workflow: [{ workflow: 'read-node' }],
};

verifiesApp(
  'workflows.toolbox-kill',
  'calls a tool that reads again, by a step and by a node, and one that writes not',
  async () => {
    await using project = await shareProject({
      files: {
        '.nexus/workflows/reads.yaml': flow('reads', 'look', 'steps'),
        '.nexus/workflows/read-node.yaml': flow('read-node', 'look', 'nodes'),
        '.nexus/workflows/writes.yaml': flow('writes', 'change', 'steps'),
      },
      config: {},
    });
    const hangFile = project.path('asked');
    const it = fakeServer({ hostileTools: tools, hang: 'tools/call', hangFile });
    const toolboxes = { box: { description: 'One server.', mcpServers: { it } } };
    writeFileSync(project.path('nexus.config.json'), JSON.stringify({ toolboxes }));
    writeFileSync(hangFile, '');
    const owner = await project.host();
    // Goes on with what the owner leaves.
    await project.host();
    for (const [tool, args] of Object.entries(CALLS)) {
      for (const each of args) owner.session.call(tool, each).catch(() => {});
    }
    const asked = () => readFileSync(hangFile, 'utf8').split('\n').slice(0, -1);
    await vi.waitFor(() => expect(asked()).toHaveLength(3), PATIENCE);
    owner.child.kill('SIGKILL');
    rmSync(hangFile);
    await owner.exit();
    const ends = 'select title, status, error from runs_runs order by title';
    await vi.waitFor(
      async () =>
        expect(await rowsOf(project)(ends)).toEqual([
          { title: 'read-node', status: 'completed', error: null },
          { title: 'reads', status: 'completed', error: null },
          { title: 'writes', status: 'failed', error: expect.stringContaining('NEXUS_OUTCOME_UNKNOWN') },
        ]),
      PATIENCE,
    );
  },
);
