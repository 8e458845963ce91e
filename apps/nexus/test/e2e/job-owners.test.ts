import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect } from 'vitest';
import { startHttpServer } from '../harness/http-server.ts';
import { startIssuer } from '../harness/issuer.ts';
import { makeProject } from '../harness/project.ts';
import { connectSdkClient } from '../harness/sdk-client.ts';
import { verifiesApp } from '../harness/verifies.ts';

const TOO_LONG_MS = 600_000;
const RESOURCE_NOT_FOUND = -32002;

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: args });
  return {
    said: result.structuredContent as Record<string, unknown> | undefined,
    code: (result._meta?.['nexus/error'] as { code?: string } | undefined)?.code,
  };
}

verifiesApp('job.owner', 'shows each user of the issuer that user’s jobs, and no other’s', async () => {
  await using issuer = await startIssuer();
  const auth = { issuer: issuer.url, audience: ['nexus-e2e'] };
  await using project = await makeProject({ slowPlugin: true, config: { http: { auth } } });
  await using server = await startHttpServer(project);
  const as = (sub: string) => connectSdkClient(server.url, issuer.sign({ aud: 'nexus-e2e', sub }));
  const [alice, bob] = await Promise.all([as('alice'), as('bob')]);

  const start = async (client: Client, note: string) => {
    const { said } = await call(client, 'slow_job', { note, ms: TOO_LONG_MS, dispatch: 'async' });
    return String(said?.jobId);
  };
  const hers = await start(alice, 'hers');
  const his = await start(bob, 'his');
  expect((await call(alice, 'list_jobs')).said).toMatchObject({ jobs: [{ jobId: hers }], total: 1 });
  expect((await call(bob, 'list_jobs')).said).toMatchObject({ jobs: [{ jobId: his }], total: 1 });

  for (const name of ['get_job_result', 'cancel_job']) {
    expect(await call(bob, name, { jobId: hers })).toMatchObject({ code: 'NEXUS_NOT_FOUND' });
  }
  const uri = `nexus://runs/${hers}`;
  await expect(bob.readResource({ uri })).rejects.toMatchObject({ code: RESOURCE_NOT_FOUND });
  expect((await alice.readResource({ uri })).contents).toMatchObject([{ uri }]);
  // Nor taken up, for whoever has a run's id: of another's, it is not even told what it is.
  expect(await call(bob, 'resume_run', { runId: hers })).toMatchObject({ code: 'NEXUS_NOT_FOUND' });
  expect(await call(alice, 'resume_run', { runId: hers })).toMatchObject({ code: 'NEXUS_CONFLICT' });
  // Untouched by that, and hers in any session of hers.
  const again = await as('alice');
  expect((await call(again, 'get_job_result', { jobId: hers })).said).toMatchObject({ status: 'working' });
  expect((await call(again, 'cancel_job', { jobId: hers })).said).toMatchObject({ status: 'cancelled' });
  expect((await call(bob, 'get_job_result', { jobId: his })).said).toMatchObject({ status: 'working' });
  await call(bob, 'cancel_job', { jobId: his });

  // A key is its user's own, too: the same call by it is another's work.
  const keyed = { note: 'keyed', ms: 1, idempotencyKey: 'k', dispatch: 'async' };
  const [first, second] = [
    await call(alice, 'slow_job_once', keyed),
    await call(bob, 'slow_job_once', keyed),
  ];
  expect(second.said?.jobId).not.toBe(first.said?.jobId);
  await Promise.all([alice, bob, again].map((client) => client.close()));
});
