import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measure } from '../figure.ts';
import { inRehearsal } from '../rehearsal.ts';
import type { StdioServer } from '../servers.ts';
import { interleave, median } from '../statistics.ts';
import { makeScratch, withNoop } from '../subjects.ts';

const WARM_UP = inRehearsal(1, 30);
const RUNS = inRehearsal(1, 200);

/** Three steps that do not need each other. */
const THREE = `name: three
description: Does nothing, three times side by side.
steps:
  - { id: a, uses: 'tool:noop' }
  - { id: b, uses: 'tool:noop' }
  - { id: c, uses: 'tool:noop' }
`;

export const workflow: Measure = {
  name: 'workflow',
  method: `A workflow of the project with three steps that do not need each other, each a no-op tool, over stdio and on SQLite with full fsync, beside the same three calls made at once; ${RUNS} of each in turn after ${WARM_UP} to warm up. The figure is what the medians differ by: looking for the file, the run's record, and a checkpoint before and after the steps: the disk is waited for twice.`,
  async run() {
    using scratch = makeScratch(withNoop);
    mkdirSync(join(scratch.projectDir, '.nexus', 'workflows'), { recursive: true });
    writeFileSync(join(scratch.projectDir, '.nexus', 'workflows', 'three.yaml'), THREE);
    const nexus = await scratch.startNexus();
    const contestants = { workflow: timed(() => runThree(nexus)), calls: timed(() => callThree(nexus)) };
    try {
      await interleave(contestants, WARM_UP);
      const samples = await interleave(contestants, RUNS);
      const calls = median(samples.calls);
      return [
        {
          what: 'What a workflow of three parallel tool steps costs beyond the three calls',
          unit: 'ms',
          nexus: median(samples.workflow) - calls,
          against: { name: 'the three calls at once', value: calls },
          target: { of: 'value', atMost: 5 },
        },
      ];
    } finally {
      await nexus.stop();
    }
  },
};

async function runThree(server: StdioServer): Promise<void> {
  const answer = await server.request('tools/call', {
    name: 'run_workflow',
    arguments: { template: 'three' },
  });
  const { isError, content } = answer as { isError?: boolean; content: unknown };
  if (isError) throw new Error(JSON.stringify(content));
}

async function callThree(server: StdioServer): Promise<void> {
  const params = { name: 'noop', arguments: {} };
  await Promise.all([1, 2, 3].map(() => server.request('tools/call', params)));
}

function timed(work: () => Promise<void>) {
  return async () => {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };
}
