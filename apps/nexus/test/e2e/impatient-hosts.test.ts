import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fakeServer } from '@nexus/testing';
import { expect, vi } from 'vitest';
import { shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const config = {
  toolboxes: { box: { description: 'One server.', mcpServers: { it: fakeServer() } } },
};
/** Of a host that gives up after 4 s: Nexus answers it after 2. */
const env = { NEXUS_CLIENT_TIMEOUT_MS: '4000' };
const slowRelay = { toolbox: 'box', server: 'it', tool: 'slow', arguments: { steps: 1, stepMs: 4_500 } };

verifiesApp(
  'job.impatient',
  'answers a host that says how long it waits before it gives up, in the process that serves and in one that joins',
  async () => {
    await using project = await shareProject({ slowPlugin: true, config });
    const patient = await project.host();
    const { session } = await project.host({ env });
    const quick = await session.call('slow_job', { note: 'quick', ms: 10 });
    expect(quick.result.structuredContent).toEqual({ note: 'quick' });
    const [long, relayed, waitedFor] = await Promise.all([
      session.call('slow_job_once', { note: 'long', ms: 4_500 }),
      session.call('use_tool', slowRelay),
      patient.session.call('slow_job_once', { note: 'waited for', ms: 4_500 }),
    ]);
    expect(waitedFor.result.structuredContent).toEqual({ note: 'waited for' });
    for (const { result } of [long, relayed]) {
      expect(result.isError).toBeFalsy();
      expect(result.structuredContent).toMatchObject({
        jobStatus: 'working',
        message: expect.stringContaining('no longer than 4 s'),
      });
    }
    const outcomes = await Promise.all(
      [long, relayed].map(({ result: { structuredContent } }) =>
        session.call('get_job_result', { jobId: structuredContent.jobId, waitMs: 20_000 }),
      ),
    );
    expect(outcomes.map(({ result }) => result.structuredContent)).toMatchObject([
      { tool: 'slow_job_once', status: 'completed', result: { note: 'long' } },
      { tool: 'use_tool', status: 'completed' },
    ]);
  },
);

slowlyVerifiesApp(
  'job.impatient',
  'learns from a call that its client gave up how long that waits, and keeps it',
  async () => {
    await using project = await shareProject({ slowPlugin: true });
    const { session, child, exit } = await project.host();
    const params = { name: 'slow_job', arguments: { note: 'abandoned', ms: 60_000 } };
    // A request that is cancelled is never answered.
    session.send({ jsonrpc: '2.0', id: 'abandoned', method: 'tools/call', params });
    await new Promise((resolve) => setTimeout(resolve, 10_100));
    session.notify('notifications/cancelled', { requestId: 'abandoned', reason: 'Request timed out' });
    const file = join(project.dataDir, 'clients.json');
    await vi.waitFor(async () => expect(await readFile(file, 'utf8')).toContain('quietMs'), 5_000);
    child.stdin?.end();
    await exit();
    const next = await project.host();
    const startedAt = performance.now();
    const { result } = await next.session.call('slow_job', { note: 'next', ms: 60_000 });
    expect(result.structuredContent).toMatchObject({ jobStatus: 'working' });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  },
);
