import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANSWER_MS, endsWithin } from '@nexus/core';
import { type OAuthServerSwitches, oauthServer } from '@nexus/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { open, stdioSettings } from '../../test/stdio-fixture.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { placesOf } from './place-of.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nexus-detours-'));
});
afterEach(() => rm(folder, { recursive: true }));

const DETOURS: readonly (readonly [string, NonNullable<OAuthServerSwitches['names']>, string])[] = [
  [
    'an authorisation server on its link',
    { authorizationServer: () => 'http://169.254.169.254' },
    'has Nexus authorise itself at http://169.254.169.254, a link-local address, where the server is not',
  ],
  [
    'one in a private network',
    { authorizationServer: () => 'http://10.1.2.3:8080' },
    'has Nexus authorise itself at http://10.1.2.3:8080, a private address',
  ],
  [
    'a redirect to one',
    { redirect: () => 'http://[fe80::1]/metadata' },
    'has Nexus authorise itself at http://[fe80::1], a link-local address',
  ],
  [
    'metadata of another origin',
    { metadata: (origin) => `${origin.replace('127.0.0.1', 'localhost')}/elsewhere` },
    'knows where Nexus is to be authorised, which is another origin',
  ],
];

describe('a server that names', () => {
  for (const [title, names, told] of DETOURS) {
    it(`${title} is not followed with nobody to ask, nor where the person says no`, async () => {
      await using server = await oauthServer({ names });
      const settings = { ...stdioSettings(), transport: 'http' as const, url: server.url };
      const alone = open(settings, { authFolder: folder, toolbox: 'crm' });
      await expect(alone).rejects.toThrow(told);
      await expect(alone).rejects.toThrow('run `nexus toolbox open crm` in a terminal, which asks');
      const agree = vi.fn(async (_question: string) => false);
      const openUrl = vi.fn();
      const asked = open(settings, { authFolder: folder, interactive: { openUrl, agree } });
      await expect(asked).rejects.toThrow('nobody agreed');
      expect(agree.mock.calls).toEqual([[expect.stringContaining(told)]]);
      expect(openUrl).not.toHaveBeenCalled();
      expect(server.asked).toEqual([]);
    });
  }

  it('metadata of another origin is followed by a person’s yes, which is remembered', async () => {
    const names = { metadata: (origin: string) => `${origin.replace('127.0.0.1', 'localhost')}/elsewhere` };
    await using server = await oauthServer({ names });
    const settings = { ...stdioSettings(), transport: 'http' as const, url: server.url };
    const agree = vi.fn(async () => true);
    const openUrl = async (page: URL) => void (await fetch(page));
    await using opened = await open(settings, { authFolder: folder, interactive: { openUrl, agree } });
    expect(await opened.connection.request('x', undefined, { signal: endsWithin(ANSWER_MS) })).toEqual({
      token: '1',
    });
    server.expire();
    await using alone = await open(settings, { authFolder: folder, toolbox: 'crm' });
    expect(await alone.connection.request('x', undefined, { signal: endsWithin(ANSWER_MS) })).toEqual({
      token: '2',
    });
    expect(agree).toHaveBeenCalledTimes(1);
  });
});

describe('what is asked for an authorisation', () => {
  const send = vi.fn(
    async (_url: string | URL, _init?: RequestInit) =>
      new Response(null, { status: 307, headers: { location: '/next' } }),
  );
  const refuse = vi.fn(async () => {
    throw new Error('asked');
  });
  beforeEach(() => void vi.clearAllMocks());

  it.each([
    'http://127.0.0.1:1/',
    'http://localhost/',
    'http://2130706433/',
    'http://[::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://0.0.0.0/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://[fd00::1]/',
  ])('never goes unasked from a server in the open to %s', async (url) => {
    await expect(guardedFetch(send, 'https://93.184.216.34/mcp', refuse)(url)).rejects.toThrow('asked');
    expect(send).not.toHaveBeenCalled();
  });

  it('goes unasked where the server itself is, and to addresses in the open', async () => {
    const done = new Response('{}');
    for (const [server, url] of [
      ['http://127.0.0.1:1/mcp', 'http://127.0.0.1:2/'],
      ['http://10.0.0.1/mcp', 'http://10.9.9.9/'],
      ['http://10.0.0.1/mcp', 'https://93.184.216.34/'],
    ] as const) {
      expect(await guardedFetch(async () => done, server, refuse)(url)).toBe(done);
    }
    expect(refuse).not.toHaveBeenCalled();
  });

  it('follows redirects of what is read, not without end, and none of what is posted', async () => {
    const get = guardedFetch(send, 'https://93.184.216.34/mcp', refuse);
    await expect(get('https://93.184.216.34/token', { method: 'POST' })).rejects.toThrow('is not followed');
    expect(send).toHaveBeenCalledTimes(1);
    await expect(get('https://93.184.216.34/metadata')).rejects.toThrow('is not followed');
    expect(send).toHaveBeenCalledTimes(7);
    expect(send.mock.calls.every(([, init]) => init?.redirect === 'manual')).toBe(true);
  });

  it('takes a name that nothing is known of for one in the open', async () => {
    expect([...(await placesOf(new URL('http://no-such-name.invalid/')))]).toEqual([]);
  });
});
