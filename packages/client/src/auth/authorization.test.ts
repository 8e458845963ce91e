import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANSWER_MS, endsWithin } from '@nexus/core';
import { type OAuthServer, oauthServer } from '@nexus/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { open, stdioSettings } from '../../test/stdio-fixture.ts';
import { ConnectionError } from '../connection-error.ts';
import type { OAuthSettings } from '../settings.ts';
import { AuthorizationError } from './authorization-error.ts';
import { listenForRedirect } from './redirect-listener.ts';

let folder: string;
let server: OAuthServer;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'nexus-auth-')), 'auth');
  server = await oauthServer();
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await rm(join(folder, '..'), { recursive: true });
});

const settings = (oauth?: OAuthSettings) => ({
  ...stdioSettings(),
  transport: 'http' as const,
  url: server.url,
  oauth,
});

/** A person who agrees: the page leads back at once. */
const openUrl = vi.fn(async (page: URL) => {
  await fetch(page);
});

function authorize(oauth?: OAuthSettings) {
  return open(settings(oauth), { authFolder: folder, interactive: { openUrl, agree: async () => false } });
}

/** As the running server connects, where nobody is at a terminal. */
const connectAlone = (oauth?: OAuthSettings) => open(settings(oauth), { authFolder: folder, toolbox: 'crm' });

const kept = async () => {
  const [file = ''] = await readdir(folder);
  return { path: join(folder, file), content: JSON.parse(await readFile(join(folder, file), 'utf8')) };
};

describe('authorisation by a person', () => {
  it('is remembered for this user alone and used where nobody is there to ask', async () => {
    await using opened = await authorize();
    expect(await opened.connection.request('x', undefined, { signal: endsWithin(ANSWER_MS) })).toEqual({
      token: '1',
    });
    const { path, content } = await kept();
    expect(content).toMatchObject({
      serverUrl: server.url,
      client: { client_id: 'client-1' },
      tokens: { access_token: 'token-1', refresh_token: 'refresh-1' },
    });
    if (process.platform !== 'win32') {
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
    }
    await using alone = await connectAlone();
    expect(await alone.connection.request('x', undefined, { signal: endsWithin(ANSWER_MS) })).toEqual({
      token: '1',
    });
    expect(openUrl).toHaveBeenCalledTimes(1);
    expect(server.asked).toEqual(['/register', '/authorize', '/token']);
  });

  it('is asked for by name of the command where nobody is there, and nothing is registered', async () => {
    const failed = connectAlone();
    await expect(failed).rejects.toThrow(ConnectionError);
    await expect(failed).rejects.toThrow(
      `Server "fixture" wants a person to authorise Nexus at ${server.url}: run \`nexus toolbox open crm\` in a terminal`,
    );
    expect(server.asked).toEqual([]);
  });

  it('is asked for again when it was withdrawn', async () => {
    const { connection } = await authorize();
    await connection.close();
    server.revoke();
    await expect(connectAlone()).rejects.toThrow('nexus toolbox open crm');
    await using again = await authorize();
    expect(await again.connection.request('x', undefined, { signal: endsWithin(ANSWER_MS) })).toEqual({
      token: '2',
    });
  });

  it('takes the config’s client and keeps its secret out of the file', async () => {
    await using opened = await authorize({ clientId: 'by-hand', clientSecret: 'sesame-1234' });
    expect(await opened.connection.request('x', undefined, { signal: endsWithin(ANSWER_MS) })).toEqual({
      token: '1',
    });
    expect(server.asked).toEqual(['/authorize', '/token']);
    expect(openUrl.mock.lastCall?.[0].searchParams.get('client_id')).toBe('by-hand');
    expect(JSON.stringify((await kept()).content)).not.toContain('sesame');
  });

  it('is not wanted of a server that has a header of its own for it', async () => {
    const own = { ...settings(), headers: { Authorization: 'Bearer token-9' } };
    await using opened = await open(own, { authFolder: folder });
    expect(await opened.connection.request('x', undefined, { signal: endsWithin(ANSWER_MS) })).toEqual({
      token: '9',
    });
  });

  it('starts anew from a file that is broken', async () => {
    await using opened = await authorize();
    await writeFile((await kept()).path, '{"tokens":');
    await using again = await authorize();
    expect(await again.connection.request('x', undefined, { signal: endsWithin(ANSWER_MS) })).toEqual({
      token: '2',
    });
    expect(opened.connection.server.serverInfo).toEqual(again.connection.server.serverInfo);
  });
});

describe('an expired token', () => {
  it('is refreshed once for all requests that meet it at the same time', async () => {
    await using opened = await authorize();
    server.expire();
    const requests = Array.from({ length: 8 }, () =>
      opened.connection.request('x', undefined, { signal: endsWithin(ANSWER_MS) }),
    );
    expect(await Promise.all(requests)).toEqual(Array(8).fill({ token: '2' }));
    expect(server.asked.filter((path) => path === '/token')).toHaveLength(2);
  });

  it('is refreshed by one Nexus for another, too', async () => {
    await using one = await authorize();
    await using other = await connectAlone();
    server.expire();
    const requests = [one, other].map(({ connection }) =>
      connection.request('x', undefined, { signal: endsWithin(ANSWER_MS) }),
    );
    expect(await Promise.all(requests)).toEqual([{ token: '2' }, { token: '2' }]);
    expect(server.asked.filter((path) => path === '/token')).toHaveLength(2);
  });
});

it('sends no refresh token of which nobody knows any more who gave it', async () => {
  const { connection } = await authorize();
  await connection.close();
  const { path, content } = await kept();
  const { issuer, ...unstamped } = content.tokens;
  expect(issuer).toBe(new URL('/', server.url).origin);
  await writeFile(path, JSON.stringify({ ...content, tokens: unstamped }));
  server.expire();
  await expect(connectAlone()).rejects.toThrow('nexus toolbox open crm');
  expect(server.asked.filter((asked) => asked === '/token')).toHaveLength(1);
});

describe('the way back from the browser', () => {
  it('takes a code only with the state that was sent along', async () => {
    await using listener = await listenForRedirect(undefined);
    const code = listener.code(10_000);
    const forged = await fetch(`${listener.url}?code=forged&state=guessed`);
    expect(forged.status).toBe(404);
    const genuine = await fetch(`${listener.url}?code=genuine&state=${listener.state}`);
    expect(await genuine.text()).toContain('authorised');
    expect(await code).toBe('genuine');
  });

  it('answers what is no address with 400, and goes on listening', async () => {
    await using listener = await listenForRedirect(undefined);
    const { hostname, port } = new URL(listener.url);
    const status = await new Promise((resolve, reject) => {
      const asked = request({ hostname, port, path: '//' }, (response) => resolve(response.statusCode));
      asked.on('error', reject).end();
    });
    expect(status).toBe(400);
    expect((await fetch(listener.url)).status).toBe(404);
  });

  it('passes on why a person refused', async () => {
    await using listener = await listenForRedirect(undefined);
    const query = `error=access_denied&error_description=not+today&state=${listener.state}`;
    const refused = expect(listener.code(10_000)).rejects.toThrow(
      new AuthorizationError('was not authorised: not today'),
    );
    expect((await fetch(`${listener.url}?${query}`)).status).toBe(400);
    await refused;
  });

  it('is not waited for without end', async () => {
    await using listener = await listenForRedirect(undefined);
    await expect(listener.code(10)).rejects.toThrow('was not authorised within 0.01 s');
  });

  it('takes another port where the wanted one is taken', async () => {
    await using first = await listenForRedirect(undefined);
    await using second = await listenForRedirect(Number(new URL(first.url).port));
    expect(second.url).not.toBe(first.url);
  });
});
