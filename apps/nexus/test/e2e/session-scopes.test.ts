import { isAlive } from '@nexus/processes';
import { fakeServer } from '@nexus/testing';
import { expect, vi } from 'vitest';
import { boot } from '../../src/boot/boot.ts';
import { loadConfig } from '../../src/loaded-config/load-config.ts';
import { createLog } from '../../src/log.ts';
import { makeProject } from '../harness/project.ts';
import { startServer } from '../harness/server-process.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

/** A connection that nobody holds is kept for so long, for who may come next; and a busy machine. */
const GONE_WITHIN_MS = 25_000;

const config = {
  toolboxes: { box: { description: 'Stays while it is held.', mcpServers: { it: fakeServer() } } },
};

/** Opens the toolbox, and uses in later steps what the first one opened. */
const files = {
  '.nexus/workflows/opens.yaml': `
name: opens
description: Uses a toolbox.
steps:
  - id: open
    uses: tool:open_toolbox
    with: { toolbox: box }
  - id: use
    uses: tool:use_tool
    needs: [open]
    with: { toolbox: box, server: it, tool: who, args: {} }
`,
};

const fails = `\
  - id: fail
    uses: tool:use_tool
    needs: [use]
    with: { toolbox: none, server: none, tool: none, args: {} }
`;

const opens = { template: 'opens' };

verifiesApp('run.lifetime', 'runs that open toolboxes leave no child and no tool', async () => {
  await using project = await makeProject({ config, files });
  const { root, env } = project;
  const nexus = await boot(await loadConfig({ cwd: root, env }), createLog('error'));
  try {
    const before = nexus.registry.list().length;
    const results = await Promise.all(Array.from({ length: 3 }, () => nexus.own.call('run_workflow', opens)));
    const pids = results.map((result) => pidIn(result));
    expect(pids.every(isAlive)).toBe(true);
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), GONE_WITHIN_MS);
    expect(nexus.downstreams.status()).toEqual([]);
    expect(nexus.registry.list()).toHaveLength(before);
  } finally {
    await nexus.stop();
  }
});

slowlyVerifiesApp(
  'run.lifetime',
  'no child is left by a run that fails, nor by one that is a job',
  async () => {
    const failing = files['.nexus/workflows/opens.yaml'].replace('name: opens', 'name: fails') + fails;
    await using project = await makeProject({
      config,
      files: { ...files, '.nexus/workflows/fails.yaml': failing },
    });
    const { root, env } = project;
    const nexus = await boot(await loadConfig({ cwd: root, env }), createLog('error'));
    try {
      const failed = await nexus.own.call('run_workflow', { template: 'fails' });
      expect(failed._meta, JSON.stringify(failed)).toMatchObject({
        'nexus/error': { detail: { status: 'failed' } },
      });
      const job = await nexus.own.start('run_workflow', opens, 'a-key');
      await nexus.engine.jobs.outcome(job.jobId, { signal: AbortSignal.timeout(20_000) });
      const pids = nexus.downstreams.status().map(({ pid }) => pid ?? 0);
      expect(pids).toHaveLength(1);
      await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), GONE_WITHIN_MS);
    } finally {
      await nexus.stop();
    }
  },
);

slowlyVerifiesApp('run.lifetime', 'what a session’s run opens is not the session’s', async () => {
  await using project = await makeProject({ config, files });
  await using server = startServer(project);
  const { session } = server;
  await session.initialize();
  const names = async () => (await session.ask('tools/list')).result.tools.map(({ name }: Tool) => name);
  const before = await names();
  const { result } = await session.call('run_workflow', opens);
  const pid = pidIn(result);
  expect(await names()).toEqual(before);
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), GONE_WITHIN_MS);
});

interface Tool {
  readonly name: string;
}

function pidIn(result: unknown): number {
  const [, pid] = /\\?"pid\\?": ?(\d+)/.exec(JSON.stringify(result)) ?? [];
  if (pid === undefined) throw new Error(`no process is named: ${JSON.stringify(result).slice(0, 2_000)}`);
  return Number(pid);
}
