import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, vi } from 'vitest';
import { startHttpServer } from '../harness/http-server.ts';
import { startIssuer } from '../harness/issuer.ts';
import { makeProject } from '../harness/project.ts';
import { connectSdkClient } from '../harness/sdk-client.ts';
import { verifiesApp } from '../harness/verifies.ts';

/** Experts need one to be made, and nobody asks it here. */
const A_MODEL = { ANTHROPIC_API_KEY: 'sk-ant-nobody' };
const RESOURCE_NOT_FOUND = -32002;
const ANYTHING = ResultSchema;

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: args });
  return {
    said: result.structuredContent as Record<string, unknown> | undefined,
    code: (result._meta?.['nexus/error'] as { code?: string } | undefined)?.code,
  };
}

const experts = async (client: Client) => {
  const { contents } = await client.readResource({ uri: 'nexus://experts' });
  const [read] = contents as { text: string }[];
  return (JSON.parse(read?.text ?? '') as { created: { expertId: string }[] }).created.map(
    ({ expertId }) => expertId,
  );
};

verifiesApp('users.experts', 'shows each user the experts that they created, and no other’s', async () => {
  await using issuer = await startIssuer();
  const auth = { issuer: issuer.url, audience: ['nexus-e2e'] };
  await using project = await makeProject({ slowPlugin: true, config: { http: { auth } }, env: A_MODEL });
  await using server = await startHttpServer(project);
  const as = (sub: string) => connectSdkClient(server.url, issuer.sign({ aud: 'nexus-e2e', sub }));
  const [alice, bob, own] = await Promise.all([
    as('alice'),
    as('bob'),
    connectSdkClient(server.url, server.token),
  ]);
  const make = async (client: Client) => {
    const { said, code } = await call(client, 'create_expert', {
      role: 'security',
      instructions: 'Be kind.',
    });
    expect(code).toBeUndefined();
    return String(said?.expertId);
  };
  const hers = await make(alice);
  const his = await make(bob);
  expect((await call(alice, 'list_experts')).said).toMatchObject({ created: [{ expertId: hers }] });
  expect(await experts(alice)).toEqual([hers]);
  expect(await experts(bob)).toEqual([his]);
  expect((await experts(own)).sort()).toEqual([hers, his].sort());
  const refused = await bob.callTool({ name: 'execute_expert', arguments: { expertId: hers, task: 'x' } });
  expect(refused._meta?.['nexus/error']).toMatchObject({ code: 'NEXUS_NOT_FOUND' });
  // The error names what there is, and hers is nothing of his.
  expect(JSON.stringify(refused.content)).toContain(his);
  expect(JSON.stringify(refused.content).replaceAll(`No expert \\"${hers}\\"`, '')).not.toContain(hers);

  // Nobody subscribes to what they can't read.
  const { said } = await call(alice, 'slow_job', { note: 'hers', ms: 600_000, dispatch: 'async' });
  const uri = `nexus://runs/${String(said?.jobId)}`;
  const updates: string[] = [];
  bob.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void updates.push(`bob ${params.uri}`),
  );
  alice.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void updates.push(`alice ${params.uri}`),
  );
  await expect(bob.subscribeResource({ uri })).rejects.toMatchObject({ code: RESOURCE_NOT_FOUND });
  await alice.subscribeResource({ uri });
  await call(alice, 'cancel_job', { jobId: said?.jobId });
  await vi.waitFor(() => expect(updates).toContain(`alice ${uri}`), { timeout: 10_000 });
  expect(updates.filter((each) => each.startsWith('bob'))).toEqual([]);
  await Promise.all([alice, bob, own].map((client) => client.close()));
});

const READS_AN_INBOX = `name: inbox
description: Reads an inbox.
steps:
  - id: read
    uses: tool:fetch_inbox
    with: { worker: hers, view: all }
`;

verifiesApp('users.workers', 'lets nobody act as another user’s worker, by a run either', async () => {
  await using issuer = await startIssuer();
  const auth = { issuer: issuer.url, audience: ['nexus-e2e'], lookToken: true };
  await using project = await makeProject({
    config: { http: { auth } },
    files: { '.nexus/workflows/inbox.yaml': READS_AN_INBOX },
  });
  await using server = await startHttpServer(project);
  const as = (sub: string) => connectSdkClient(server.url, issuer.sign({ aud: 'nexus-e2e', sub }));
  const [alice, bob] = await Promise.all([as('alice'), as('bob')]);
  await call(alice, 'register_worker', { name: 'hers' });
  await call(bob, 'register_worker', { name: 'his' });
  await call(bob, 'send_message', { from: 'his', to: 'hers', body: 'for her alone' });
  expect((await call(bob, 'fetch_inbox', { worker: 'hers' })).code).toBe('NEXUS_CONFLICT');
  // A name that may not be read is not proposed either, to the token that only looks as little.
  const look = readFileSync(join(project.dataDir, 'http-look-token'), 'utf8').trim();
  const looking = await connectSdkClient(server.url, look);
  const own = await connectSdkClient(server.url, server.token);
  for (const [client, names] of [
    [alice, ['hers']],
    [bob, ['his']],
    [looking, []],
    [own, ['hers', 'his']],
  ] as const) {
    const ref = { type: 'ref/resource', uri: 'nexus://inbox/{worker}' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'worker', value: 'h' } });
    expect(completion.values).toEqual(names);
  }
  const byRun = { name: 'run_workflow', arguments: { template: 'inbox' } };
  const his = await bob.callTool(byRun);
  expect(JSON.stringify(his)).toContain('another user’s');
  expect(JSON.stringify(his)).not.toContain('for her alone');
  expect(JSON.stringify(await alice.callTool(byRun))).toContain('for her alone');
  await Promise.all([alice, bob, looking, own].map((client) => client.close()));
});

verifiesApp('users.look', 'lets those who may look list and read, and call nothing', async () => {
  await using issuer = await startIssuer();
  const auth = { issuer: issuer.url, audience: ['nexus-e2e'], callScope: 'nexus:call', lookToken: true };
  await using project = await makeProject({ slowPlugin: true, config: { http: { auth } }, env: A_MODEL });
  await using server = await startHttpServer(project);
  const signed = (scope?: unknown) =>
    issuer.sign({ aud: 'nexus-e2e', sub: 'alice', ...(scope === undefined ? {} : { scope }) });
  const lookToken = readFileSync(join(project.dataDir, 'http-look-token'), 'utf8').trim();
  const mayCall = await connectSdkClient(server.url, signed('openid nexus:call'));
  const { said } = await call(mayCall, 'slow_job', { note: 'x', ms: 600_000, dispatch: 'async' });
  const tokens = [lookToken, signed(), signed('openid nexus:callx'), signed(['nexus:look'])];
  for (const [index, token] of tokens.entries()) {
    const looks = await connectSdkClient(server.url, token);
    expect((await looks.listTools()).tools.length).toBeGreaterThan(10);
    expect((await looks.listResources()).resources.length).toBeGreaterThan(0);
    await expect(experts(looks)).resolves.toEqual([]);
    await looks.subscribeResource({ uri: 'nexus://experts' });
    expect((await looks.listPrompts()).prompts.length).toBeGreaterThan(0);
    for (const name of ['list_experts', 'create_expert', 'use_tool', 'cancel_job', 'no_such_tool']) {
      expect(await call(looks, name, { jobId: said?.jobId })).toMatchObject({ code: 'NEXUS_DENIED' });
    }
    const task = { name: 'slow_job', arguments: { note: 'x', ms: 1 }, task: {} };
    await expect(looks.request({ method: 'tools/call', params: task }, ANYTHING)).rejects.toThrow(
      /look and not call/,
    );
    const cancel = { method: 'tasks/cancel', params: { taskId: said?.jobId } };
    await expect(looks.request(cancel, ANYTHING)).rejects.toThrow(/look and not call/);
    const read = looks.readResource({ uri: `nexus://runs/${String(said?.jobId)}` });
    // The same user sees what is theirs; whoever has the look token is another.
    if (index === 0) await expect(read).rejects.toMatchObject({ code: RESOURCE_NOT_FOUND });
    else await expect(read).resolves.toMatchObject({ contents: [{}] });
    await looks.close();
  }
  expect((await call(mayCall, 'get_job_result', { jobId: said?.jobId })).said).toMatchObject({
    status: 'working',
  });
  await call(mayCall, 'cancel_job', { jobId: said?.jobId });
  await mayCall.close();
});
