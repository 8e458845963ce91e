import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An issuer of access tokens on this machine, with nothing of the product's own. */
export async function startIssuer() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'e2e', alg: 'ES256', use: 'sig' }];
  const server = createServer((request, response) => {
    const known: Record<string, object> = {
      '/.well-known/oauth-authorization-server': { issuer: url, jwks_uri: `${url}/keys` },
      '/keys': { keys },
    };
    const found = known[request.url ?? ''];
    response.writeHead(found ? 200 : 404).end(JSON.stringify(found ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return {
    url,
    sign(claims: Readonly<Record<string, unknown>>): string {
      const exp = Math.floor(Date.now() / 1000) + 600;
      const payload = { iss: url, sub: 'alice', exp, ...claims };
      const text = `${encode({ alg: 'ES256', kid: 'e2e' })}.${encode(payload)}`;
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${text}.${signature.toString('base64url')}`;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
