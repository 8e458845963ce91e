import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

type Claims = { readonly [claim in keyof JWTPayload]?: JWTPayload[claim] | undefined };

/** A company's issuer on this machine: its metadata, its keys, and tokens that it signs. */
export async function startIssuer() {
  const key = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(key.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  let isDown = false;
  let more = '';
  const answer = (members: object) => `{${more}${JSON.stringify(members).slice(1)}`;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (isDown) return response.writeHead(500).end();
    if (request.url === '/.well-known/openid-configuration') {
      return response.end(answer({ issuer, jwks_uri: `${issuer}/keys` }));
    }
    if (request.url === '/keys') return response.end(answer({ keys: [jwk] }));
    return response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function sign(claims: Claims = {}, privateKey = key.privateKey, kid = 'one'): Promise<string> {
    const seconds = Math.floor(Date.now() / 1000);
    const preset = { iss: issuer, aud: 'nexus', sub: 'alice', iat: seconds, exp: seconds + 60 };
    // JSON leaves out what is undefined.
    return new SignJWT(JSON.parse(JSON.stringify({ ...preset, ...claims })))
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(privateKey);
  }

  return {
    issuer,
    asked,
    sign,
    /** A token that another key signed under this issuer's name. */
    forge: async () => sign({}, (await generateKeyPair('ES256')).privateKey),
    /** Members, each with its comma, that stand before its own in all that it answers. */
    setMore(text: string) {
      more = text;
    },
    setDown(value: boolean) {
      isDown = value;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
