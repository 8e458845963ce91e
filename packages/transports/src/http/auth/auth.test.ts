import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { startHttpTest, TOKEN } from '../../../test/http-server.ts';
import { startIssuer } from '../../../test/token-issuer.ts';

const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };

function withIssuer(issuer: string, jwksUrl?: string) {
  const jwt = { issuer, jwksUrl, audience: ['nexus'], algorithms: ['ES256'], clockToleranceS: 5 };
  return startHttpTest({ auth: { token: TOKEN, jwt } });
}

describe('the server’s own token', () => {
  it('is demanded with each request', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    const headers = { 'mcp-session-id': session };
    for (const method of ['POST', 'GET', 'DELETE']) {
      for (const token of [null, 'wrong', `${TOKEN}x`, TOKEN.slice(1)]) {
        const answer = await http.client.send({
          method,
          token,
          headers,
          ...(method === 'POST' ? { body: initialize } : {}),
        });
        expect(answer.status, `${method} with ${token}`).toBe(401);
        await answer.text();
      }
    }
    expect(http.sessions).toHaveLength(1);
  });

  it('is asked for by name, with where a token can be had', async () => {
    await using http = await startHttpTest();
    const base = new URL(http.server.url).origin;
    const metadata = `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`;
    const none = await http.client.send({ body: initialize, token: null });
    expect(none.headers['www-authenticate']).toBe(`Bearer ${metadata}`);
    const wrong = await http.client.send({ body: initialize, token: 'wrong' });
    expect(wrong.headers['www-authenticate']).toBe(
      `Bearer error="invalid_token", error_description="the token is not this server's", ${metadata}`,
    );
  });

  it('counts under its scheme alone', async () => {
    await using http = await startHttpTest();
    const send = (authorization: string) =>
      http.client.send({ body: initialize, token: null, headers: { authorization } });
    expect((await send(`Basic ${TOKEN}`)).status).toBe(401);
    expect((await send(TOKEN)).status).toBe(401);
    expect((await send(`bearer ${TOKEN}`)).status).toBe(200);
  });
});

describe('a server without authentication', () => {
  it('serves loopback', async () => {
    await using http = await startHttpTest({ auth: undefined });
    expect((await http.client.send({ body: initialize, token: null })).status).toBe(200);
  });

  it.each(['0.0.0.0', '::', '192.0.2.1'])('does not open %s', async (host) => {
    await expect(startHttpTest({ auth: undefined, host })).rejects.toThrow(/only loopback.*other machines/);
  });
});

describe('tokens of an issuer', () => {
  it('count beside the server’s own', async () => {
    await using issuer = await startIssuer();
    await using http = await withIssuer(issuer.issuer);
    await http.client.initialize({ token: await issuer.sign() });
    await http.client.initialize({ token: await issuer.sign({ aud: ['other', 'nexus'] }) });
    await http.client.initialize();
    expect(issuer.asked.filter((path) => path === '/keys')).toHaveLength(1);
  });

  it('are refused where they are expired, foreign, forged or for another server', async () => {
    await using issuer = await startIssuer();
    await using stranger = await startIssuer();
    await using http = await withIssuer(issuer.issuer);
    const seconds = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer.issuer, aud: 'nexus', sub: 'alice', exp: seconds + 60 };
    const tokens = {
      expired: await issuer.sign({ exp: seconds - 10 }),
      'not yet valid': await issuer.sign({ nbf: seconds + 60 }),
      'without an end': await issuer.sign({ exp: undefined }),
      'without a subject': await issuer.sign({ sub: undefined }),
      'with an empty subject': await issuer.sign({ sub: ' ' }),
      'with a number for a subject': await issuer.sign({ sub: 7 as never }),
      'for another audience': await issuer.sign({ aud: 'other' }),
      'of another issuer': await stranger.sign(),
      'of another issuer under this name': await stranger.sign({ iss: issuer.issuer }),
      forged: await issuer.forge(),
      'of a shared secret': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'one' })
        .sign(Buffer.from(TOKEN)),
      unsigned: new UnsecuredJWT(claims).encode(),
      'cut short': (await issuer.sign()).slice(0, -3),
    };
    for (const [what, token] of Object.entries(tokens)) {
      const answer = await http.client.send({ body: initialize, token });
      expect(answer.status, what).toBe(401);
      expect(answer.headers['www-authenticate'], what).toContain('error="invalid_token"');
    }
    expect(http.sessions).toHaveLength(0);
  });

  it('count within the tolerance for clocks', async () => {
    await using issuer = await startIssuer();
    await using http = await withIssuer(issuer.issuer);
    await http.client.initialize({ token: await issuer.sign({ exp: Math.floor(Date.now() / 1000) - 2 }) });
  });

  it('are neither good nor bad while the issuer does not answer', async () => {
    await using issuer = await startIssuer();
    await using http = await withIssuer(issuer.issuer);
    issuer.setDown(true);
    const token = await issuer.sign();
    const answer = await http.client.send({ body: initialize, token });
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
    // The server's own needs nobody else.
    await http.client.initialize();
    issuer.setDown(false);
    await http.client.initialize({ token });
  });

  const long = `"x":"${'x'.repeat(1024 * 1024)}",`;
  const deep = `"x":${'['.repeat(1_001)}${']'.repeat(1_001)},`;

  it.each([
    { what: 'metadata are too long', path: undefined, more: long },
    { what: 'metadata are nested too deep', path: undefined, more: deep },
    { what: 'keys are too long', path: '/keys', more: long },
    { what: 'keys are nested too deep', path: '/keys', more: deep },
  ])('are neither good nor bad where the issuer’s $what to be read', async ({ path, more }) => {
    await using issuer = await startIssuer();
    await using http = await withIssuer(issuer.issuer, path && `${issuer.issuer}${path}`);
    issuer.setMore(more);
    const token = await issuer.sign();
    const answer = await http.client.send({ body: initialize, token });
    expect(answer.status).toBe(503);
    issuer.setMore('');
    await http.client.initialize({ token });
  });

  it('are checked by the keys at the place that the config names', async () => {
    await using issuer = await startIssuer();
    await using http = await withIssuer(issuer.issuer, `${issuer.issuer}/keys`);
    await http.client.initialize({ token: await issuer.sign() });
    expect(issuer.asked).toEqual(['/keys']);
  });

  it('open sessions that no one else can use', async () => {
    await using issuer = await startIssuer();
    await using http = await withIssuer(issuer.issuer);
    const session = await http.client.initialize({ token: await issuer.sign() });
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    const as = async (token: string) =>
      (await http.client.send({ token, body: ping, headers: { 'mcp-session-id': session } })).status;
    expect(await as(await issuer.sign({ sub: 'bob' }))).toBe(404);
    expect(await as(TOKEN)).toBe(404);
    // A new token of the same person.
    expect(await as(await issuer.sign({ jti: 'next' }))).toBe(200);
  });

  it('have their issuer named in the metadata of the resource', async () => {
    await using issuer = await startIssuer();
    await using http = await withIssuer(issuer.issuer);
    const paths = ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'];
    for (const path of paths) {
      const answer = await http.client.send({ path, method: 'GET', token: null });
      expect(await answer.json()).toEqual({
        resource: http.server.url,
        resource_name: 'Nexus',
        bearer_methods_supported: ['header'],
        authorization_servers: [issuer.issuer],
      });
    }
  });
});
