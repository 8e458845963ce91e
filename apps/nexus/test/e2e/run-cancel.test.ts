import { isAlive } from '@nexus/processes';
import { fakeClis, fakeServer } from '@nexus/testing';
import { expect, vi } from 'vitest';
import { PATIENCE } from '../harness/expert-kill.ts';
import { expertTeam, hasToolResult } from '../harness/expert-team.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { rowsOf, runOf } from '../harness/run-record.ts';
import type { HostSession } from '../harness/session.ts';
import { type SharedProject, shareProject } from '../harness/shared-project.ts';
import { openToolbox } from '../harness/toolboxes.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

/** Has an expert begin, with nobody who waits for it: only the run's own end can end what it does. */
async function beginTurn({ session }: { readonly session: HostSession }): Promise<void> {
  const made = await session.call('create_expert', { role: 'qa' });
  const { expertId } = made.result.structuredContent;
  await session.call('execute_expert', { expertId, task: 'Look.', dispatch: 'async' });
}

async function cancelTurn(project: SharedProject): Promise<void> {
  const read = rowsOf(project);
  const { id } = (await runOf(read, 'experts.turn')) ?? {};
  const { stdout, stderr } = await runNexus(project, ['runs', 'cancel', String(id)]);
  expect(stdout, stderr).toContain(`${id} is cancelled.`);
}

verifiesApp('runs.cancel', 'ends what a step asks of a model, on the wire', async () => {
  await using team = await expertTeam(() => ({ hangs: true }));
  await using project = await shareProject({ env: team.env });
  await beginTurn(await project.host());
  await vi.waitFor(() => expect(team.open).toBe(1), PATIENCE);
  await cancelTurn(project);
  await vi.waitFor(() => expect(team.open).toBe(0), PATIENCE);
  expect(team.asked).toHaveLength(1);
});

slowlyVerifiesApp('runs.cancel', 'ends the program that a step waits for, and its child', async () => {
  using clis = fakeClis({ claude: { does: 'hang' } });
  await using project = await shareProject({ env: { PATH: clis.path } });
  await beginTurn(await project.host());
  await vi.waitFor(() => expect(clis.calls).toHaveLength(1), PATIENCE);
  const pids = clis.calls[0]?.pids ?? [];
  expect(pids.filter(isAlive)).toHaveLength(2);
  await cancelTurn(project);
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), PATIENCE);
});

slowlyVerifiesApp('runs.cancel', 'cancels the call that a step makes of another server', async () => {
  await using team = await expertTeam((request) =>
    hasToolResult(request)
      ? undefined
      : { tools: [{ name: 'box__it__slow', input: { steps: 10_000, stepMs: 10 } }] },
  );
  const config = {
    toolboxes: { box: { description: 'A box', mcpServers: { it: fakeServer() } } },
    experts: { allowTools: ['box__*'] },
  };
  await using project = await shareProject({ config, env: team.env });
  const host = await project.host();
  await openToolbox(host.session, 'box');
  await beginTurn(host);
  const received = async () => {
    const { result } = await host.session.call('box__it__received');
    return result.structuredContent.messages.map(({ method }: { method: string }) => method);
  };
  await vi.waitFor(async () => expect(await received()).toContain('tools/call'), PATIENCE);
  await vi.waitFor(async () => {
    const read = rowsOf(project);
    const steps = await read(`select status from runs_steps where title = 'box__it__slow'`);
    expect(steps).toEqual([{ status: 'running' }]);
  }, PATIENCE);
  expect(await received()).not.toContain('notifications/cancelled');
  await cancelTurn(project);
  await vi.waitFor(async () => expect(await received()).toContain('notifications/cancelled'), PATIENCE);
  expect(team.asked).toHaveLength(1);
});

slowlyVerifiesApp('runs.cancel', 'ends a job, as its refusal to another session says', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const { session } = await project.host();
  const { result } = await session.call('slow_job', { note: 'long', ms: 600_000, dispatch: 'async' });
  const { jobId } = result.structuredContent;
  const refused = await runNexus(project, ['call', 'cancel_job', `jobId=${jobId}`]);
  const told = /`nexus (runs cancel [^`]+)`/.exec(refused.stdout + refused.stderr)?.[1] ?? '';
  expect(told, refused.stdout + refused.stderr).toBe(`runs cancel ${jobId}`);
  expect((await runNexus(project, told.split(' '))).stdout).toContain(`${jobId} is cancelled.`);
  const job = await session.call('get_job_result', { jobId });
  expect(job.result.structuredContent).toMatchObject({ status: 'cancelled' });
});
