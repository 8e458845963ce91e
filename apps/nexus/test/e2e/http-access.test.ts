import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { httpRequest, initializeBody, mcpHeaders } from '../harness/http-request.ts';
import { startHttpServer } from '../harness/http-server.ts';
import { startIssuer } from '../harness/issuer.ts';
import { makeProject } from '../harness/project.ts';
import { connectSdkClient } from '../harness/sdk-client.ts';
import { verifiesApp } from '../harness/verifies.ts';

verifiesApp('http.access', 'makes a token once, in a file for its owner alone', async () => {
  await using project = await makeProject();
  const tokens: unknown[] = [];
  for (let start = 0; start < 2; start += 1) {
    await using server = await startHttpServer(project);
    tokens.push(server.token);
    expect(server.process.stderr()).not.toContain(server.token);
  }
  expect(tokens[0]).toMatch(/^[\w-]{43}$/);
  expect(tokens[1]).toBe(tokens[0]);
  if (process.platform !== 'win32') {
    expect((await stat(join(project.dataDir, 'http-token'))).mode & 0o777).toBe(0o600);
  }
});

verifiesApp('http.access', 'turns away who has no token, or another', async () => {
  await using project = await makeProject();
  await using server = await startHttpServer(project);
  for (const token of [undefined, 'wrong']) {
    await expect(connectSdkClient(server.url, token)).rejects.toMatchObject({ code: 401 });
  }
  const { headers } = await httpRequest(server.url, { headers: mcpHeaders(undefined), body: initializeBody });
  expect(headers['www-authenticate']).toContain('/.well-known/oauth-protected-resource/mcp"');
});

verifiesApp('http.access', 'takes tokens of the issuer that the config names, and no others', async () => {
  await using issuer = await startIssuer();
  const auth = { issuer: issuer.url, audience: ['nexus-e2e'] };
  await using project = await makeProject({ config: { http: { auth } } });
  await using server = await startHttpServer(project);
  const good = await connectSdkClient(server.url, issuer.sign({ aud: 'nexus-e2e' }));
  expect((await good.listTools()).tools.length).toBeGreaterThan(0);
  await good.close();
  const expired = issuer.sign({ aud: 'nexus-e2e', exp: Math.floor(Date.now() / 1000) - 60 });
  for (const token of [expired, issuer.sign({ aud: 'other' }), issuer.sign({ aud: 'nexus-e2e', iss: 'x' })]) {
    await expect(connectSdkClient(server.url, token)).rejects.toMatchObject({ code: 401 });
  }
  const metadata = await httpRequest(new URL('/.well-known/oauth-protected-resource', server.url).href);
  expect(JSON.parse(metadata.text)).toMatchObject({
    resource: server.url,
    authorization_servers: [issuer.url],
  });
});

verifiesApp('http.access', 'turns away another Host and another Origin, with the token, too', async () => {
  const http = { allowedHosts: ['nexus.example.com'], allowedOrigins: ['https://tools.example.com'] };
  await using project = await makeProject({ config: { http } });
  await using server = await startHttpServer(project);
  const ask = async (headers: Record<string, string>) => {
    const all = { ...mcpHeaders(server.token), ...headers };
    return (await httpRequest(server.url, { headers: all, body: initializeBody })).status;
  };
  expect(await ask({ host: 'evil.example.com' })).toBe(403);
  expect(await ask({ origin: 'https://evil.example.com' })).toBe(403);
  expect(await ask({ host: 'nexus.example.com', origin: 'https://tools.example.com' })).toBe(200);
});
