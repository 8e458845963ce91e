import {
  ProgressNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, vi } from 'vitest';
import { startBreakableProxy } from '../harness/breakable-proxy.ts';
import { startHttpServer } from '../harness/http-server.ts';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { connectSdkClient } from '../harness/sdk-client.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

verifiesApp('http.client', 'lists all tools, calls them side by side, and hears of progress', async () => {
  await using project = await makeProject({ slowPlugin: true });
  await using server = await startHttpServer(project);
  const client = await connectSdkClient(server.url, server.token);
  const { tools } = await client.listTools();
  const listed = JSON.parse((await runNexus(project, ['tools', '--json'])).stdout);
  expect(tools.map(({ name }) => name)).toEqual(listed.map(({ name }: { name: string }) => name));
  const reports: unknown[] = [];
  client.setNotificationHandler(
    ProgressNotificationSchema,
    ({ params }) => void reports.push(params.progress),
  );
  const [slow, stepped] = await Promise.all([
    client.callTool({ name: 'slow_wait', arguments: { ms: 500 } }),
    client.callTool({ name: 'slow_step', arguments: { steps: 3 }, _meta: { progressToken: 'p' } }),
  ]);
  expect(slow.structuredContent).toEqual({ waitedMs: 500 });
  expect(stepped.structuredContent).toEqual({ steps: 3 });
  expect(reports).toEqual([1, 2, 3]);
  await client.close();
});

slowlyVerifiesApp('http.client', 'hears of what belongs to no request', async () => {
  await using project = await makeProject({ slowPlugin: true });
  await using server = await startHttpServer(project);
  const client = await connectSdkClient(server.url, server.token);
  const updated: string[] = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void updated.push(params.uri),
  );
  await client.subscribeResource({ uri: 'nexus://counter' });
  await client.callTool({ name: 'slow_touch', arguments: {} });
  await vi.waitFor(() => expect(updated).toEqual(['nexus://counter']), { timeout: 10_000 });
  await client.close();
});

verifiesApp(
  'http.client',
  'gets the answer of a call whose connection broke, and all that came before',
  async () => {
    await using project = await makeProject({ slowPlugin: true });
    await using server = await startHttpServer(project);
    await using proxy = await startBreakableProxy(server.url);
    const client = await connectSdkClient(proxy.url, server.token);
    const other = await connectSdkClient(server.url, server.token);
    const called = client.callTool({ name: 'slow_wait', arguments: { ms: 3_000 } });
    const touched: string[] = [];
    client.setNotificationHandler(
      ResourceUpdatedNotificationSchema,
      ({ params }) => void touched.push(params.uri),
    );
    await client.subscribeResource({ uri: 'nexus://counter' });
    await client.callTool({ name: 'slow_touch', arguments: {} });
    await vi.waitFor(() => expect(touched).toHaveLength(1), { timeout: 10_000 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    proxy.breakAll();
    // While nobody listens.
    await other.callTool({ name: 'slow_touch', arguments: {} });
    expect((await called).structuredContent).toEqual({ waitedMs: 3_000 });
    await vi.waitFor(() => expect(touched).toHaveLength(2), { timeout: 10_000 });
    await Promise.all([client.close(), other.close()]);
  },
);
