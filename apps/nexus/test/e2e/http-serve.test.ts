import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { auditEvents } from '../harness/audit-events.ts';
import { httpRequest, initializeBody, mcpHeaders } from '../harness/http-request.ts';
import { httpUrl, readToken, startHttpServer } from '../harness/http-server.ts';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { connectSdkClient } from '../harness/sdk-client.ts';
import { startServer } from '../harness/server-process.ts';
import { shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

verifiesApp('http.address', 'listens on loopback, and says where', async () => {
  await using project = await makeProject();
  await using server = await startHttpServer(project);
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const { stdout } = await runNexus(project, ['status']);
  expect(stdout).toContain(`HTTP: ${server.url}, token in ${project.dataDir}`);
  const status = JSON.parse((await runNexus(project, ['status', '--json'])).stdout);
  expect(status.http).toMatchObject({ url: server.url, sessions: 0 });
  expect(await auditEvents(project, 'way.opened')).toHaveLength(1);
});

slowlyVerifiesApp('http.address', 'says what is wrong with an address', async () => {
  await using project = await makeProject();
  await using server = await startHttpServer(project);
  await using other = await makeProject();
  const { port } = new URL(server.url);
  const faults = [
    [['--http', port], `HTTP can't listen on 127.0.0.1:${port}: another program listens there`],
    [['--http', '0.0.0.0:0', '--no-auth'], 'only loopback is served'],
    [['--http', 'here'], '--http takes [host:]port'],
    [['--http', '70000'], '--http takes [host:]port'],
    [['--no-auth'], '--no-auth is about HTTP'],
  ] as const;
  for (const [args, message] of faults) {
    const { exitCode, stderr } = await runNexus(other, ['serve', ...args]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(message) });
  }
});

slowlyVerifiesApp('command.doctor', 'warns of tokens that cross the network unencrypted', async () => {
  await using project = await makeProject({ config: { http: { port: 0, host: '0.0.0.0' } } });
  const { exitCode, stdout } = await runNexus(project, ['doctor']);
  expect(stdout).toMatch(
    /^warn +HTTP: 0\.0\.0\.0:0: tokens cross the network unencrypted\n +fix: set http\.tls/m,
  );
  expect(exitCode).toBe(0);
});

verifiesApp('http.config', 'opens HTTP with the limits that the config sets', async () => {
  const http = { port: 0, maxBodyBytes: 2_048, maxSessions: 1, publicUrl: 'https://nexus.example.com' };
  await using project = await makeProject({ config: { http } });
  await using server = startServer(project, { args: ['--verbose'] });
  const url = await httpUrl(server);
  const headers = mcpHeaders(await readToken(project));
  const opened = await httpRequest(url, { headers, body: initializeBody });
  expect(opened.status).toBe(200);
  expect((await httpRequest(url, { headers, body: initializeBody })).status).toBe(503);
  const large = { jsonrpc: '2.0', id: 2, method: 'ping', params: { text: 'x'.repeat(4_096) } };
  expect((await httpRequest(url, { headers, body: large })).status).toBe(413);
  const metadata = await httpRequest(new URL('/.well-known/oauth-protected-resource/mcp', url).href);
  expect(JSON.parse(metadata.text).resource).toBe('https://nexus.example.com/mcp');
});

slowlyVerifiesApp('http.config', 'opens no HTTP for a server that is not shared', async () => {
  await using project = await makeProject({ config: { http: { port: 0 } } });
  await using server = startServer(project, { args: ['--standalone', '--verbose'] });
  await server.session.initialize();
  expect(server.stderr()).not.toContain('HTTP is open');
});

slowlyVerifiesApp('http.config', 'names what is wrong', async () => {
  const http = { port: 70_000, auth: { issuer: 'https://login.example.com' }, maxBodySize: 1 };
  await using project = await makeProject({ config: { http } });
  const { exitCode, stderr } = await runNexus(project, ['config']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('http.port: ');
  expect(stderr).toContain('http.maxBodySize: no such key; did you mean maxBodyBytes?');
  await using unmeant = await makeProject({ config: { http: { auth: http.auth } } });
  expect((await runNexus(unmeant, ['config'])).stderr).toContain('http.auth.audience: a token must be meant');
});

slowlyVerifiesApp(
  'http.config',
  'serves HTTPS by the key and certificate that the config names',
  async () => {
    const tls = { keyFile: 'tls/key.pem', certFile: 'tls/cert.pem' };
    await using project = await makeProject({ config: { http: { tls } }, files: { 'tls/readme': '' } });
    const missing = await runNexus(project, ['serve', '--http', '0']);
    expect(missing).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("http.tls.keyFile can't be read"),
    });
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const files = ['-keyout', project.path(tls.keyFile), '-out', project.path(tls.certFile)];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    await promisify(execFile)('openssl', ['req', '-x509', ...curve, ...files, ...subject]);
    await using server = await startHttpServer(project);
    const { port, protocol } = new URL(server.url);
    expect(protocol).toBe('https:');
    const ca = await readFile(project.path(tls.certFile));
    const status = await new Promise((resolve, reject) => {
      const options = { host: 'localhost', family: 4, port, path: '/healthz', ca };
      request(options, (response) => resolve(response.resume().statusCode))
        .once('error', reject)
        .end();
    });
    expect(status).toBe(200);
  },
);

verifiesApp(
  'http.together',
  'serves by stdio, the socket and HTTP at once, each with its own session',
  async () => {
    await using project = await shareProject({ slowPlugin: true, config: { http: { port: 0 } } });
    const owner = await project.host({ args: ['--verbose'] });
    const bridge = await project.host();
    const client = await connectSdkClient(await httpUrl(owner), await readToken(project));
    await bridge.session.ask('logging/setLevel', { level: 'info' });
    const calls = await Promise.all([
      owner.session.call('slow_echo', { text: 'stdio' }),
      bridge.session.call('slow_speak'),
      client.callTool({ name: 'slow_echo', arguments: { text: 'http' } }),
    ]);
    expect(calls[0].result.structuredContent.text).toBe('stdio');
    expect(calls[2].structuredContent).toEqual({ text: 'http' });
    const logged = ({ method }: { method?: string }) => method === 'notifications/message';
    expect(owner.session.received.filter(logged)).toHaveLength(0);
    expect(bridge.session.received.filter(logged)).toHaveLength(3);
    const { sessions, http } = JSON.parse((await runNexus(project, ['status', '--json'])).stdout);
    expect(sessions.map((session: { client: { name: string } }) => session.client.name).sort()).toEqual([
      'e2e',
      'e2e',
      'e2e-http',
    ]);
    expect(http.sessions).toBe(1);
    await client.close();
  },
);

verifiesApp('http.drain', 'lets a call finish, tells new ones to wait, and ends', async () => {
  await using project = await makeProject({ slowPlugin: true });
  await using server = await startHttpServer(project);
  const client = await connectSdkClient(server.url, server.token);
  const called = client.callTool({ name: 'slow_wait', arguments: { ms: 1_500 } });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const since = Date.now();
  server.process.child.kill('SIGTERM');
  await expect.poll(async () => (await httpRequest(new URL('/readyz', server.url).href)).status).toBe(503);
  const refused = await httpRequest(server.url, { headers: mcpHeaders(server.token), body: initializeBody });
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
  expect((await called).structuredContent).toEqual({ waitedMs: 1_500 });
  const { code, tookMs } = await server.process.exit(since);
  expect(code).toBe(0);
  expect(tookMs).toBeLessThan(5_000);
  await client.close();
});

slowlyVerifiesApp('http.drain', 'answers a call that does not finish in time', async () => {
  await using project = await makeProject({ slowPlugin: true, config: { http: { drainMs: 200 } } });
  await using server = await startHttpServer(project);
  const client = await connectSdkClient(server.url, server.token);
  const called = client.callTool({ name: 'slow_wait', arguments: {} });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const since = Date.now();
  server.process.child.kill('SIGTERM');
  expect(await called).toMatchObject({
    isError: true,
    _meta: { 'nexus/error': { code: 'NEXUS_SHUTTING_DOWN' } },
  });
  expect(await server.process.exit(since)).toMatchObject({ code: 0 });
  await client.close();
});

verifiesApp('http.metrics', 'counts calls by tool and outcome', async () => {
  await using project = await makeProject({ slowPlugin: true });
  await using server = await startHttpServer(project);
  const client = await connectSdkClient(server.url, server.token);
  for (const text of ['a', 'b']) await client.callTool({ name: 'slow_echo', arguments: { text } });
  await client.callTool({ name: 'slow_echo', arguments: { text: 1 } });
  const { text } = await httpRequest(new URL('/metrics', server.url).href, {
    headers: mcpHeaders(server.token),
  });
  for (const line of [
    'nexus_calls_total{tool="slow_echo",outcome="ok"} 2',
    'nexus_calls_total{tool="slow_echo",outcome="validation"} 1',
    'nexus_call_duration_seconds_count{tool="slow_echo"} 3',
    'nexus_http_sessions 1',
    'nexus_requests_in_flight 0',
    'nexus_runs{status="queued"} 0',
    'nexus_servers_left_alone 0',
    'nexus_budget_spent{unit="usd"} 0',
  ]) {
    expect(text).toContain(`${line}\n`);
  }
  expect(text).toMatch(
    /^mcp_server_operation_duration_seconds_count\{.*gen_ai_tool_name="slow_echo".*\} 2$/m,
  );
  expect(text).toMatch(/^mcp_server_operation_duration_seconds_count\{.*error_type="tool_error".*\} 1$/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d{7,}$/m);
  await client.close();
});
