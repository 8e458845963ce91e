import { redactText } from '@nexus/untrusted/secrets';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { maskSecrets, secretNames } from './mask-secrets.ts';
import type { ConnectionSettings } from './settings.ts';

const settings: ConnectionSettings = { transport: 'stdio', command: 'node', args: [], env: {}, headers: {} };

const masked = (text: string, given: Partial<ConnectionSettings>) =>
  maskSecrets({ ...settings, ...given }).mask(text);

afterEach(() => void vi.useRealTimers());

describe('masked text', () => {
  it.each<[string, string, Partial<ConnectionSettings>, string]>([
    ['a variable', 'key=abc123 used', { env: { KEY: 'abc123' } }, 'key=******** used'],
    ['every time', 'abc123 abc123', { env: { KEY: 'abc123' } }, '******** ********'],
    ['not what is too short to be a secret', 'level info', { env: { LEVEL: 'info' } }, 'level info'],
    ['a header', 'got Bearer t0ken.x', { headers: { Authorization: 'Bearer t0ken.x' } }, 'got ********'],
    [
      'the token of a header alone',
      't0ken.x?',
      { headers: { Authorization: 'Bearer t0ken.x' } },
      '********?',
    ],
    ['the longer of two', 'secret-long', { env: { A: 'secret', B: 'secret-long' } }, '********'],
    ['what means something in a pattern', 'a.b*c+(d)', { env: { A: 'a.b*c+(d)' } }, '********'],
    ['each line of a key', 'line-two', { env: { PEM: 'line-one\nline-two\n' } }, '********'],
    ['the client’s secret', 'sesame-1', { oauth: { clientSecret: 'sesame-1' } }, '********'],
    ['a password in the URL', 'at u:hunter22@x', { url: 'https://u:hunter22@x/' }, 'at u:********@x'],
    ['a key in the URL', 'GET /?key=a%20bcdef', { url: 'https://x/?key=a%20bcdef' }, 'GET /?key=********'],
    ['an argument', 'no s3cr3t!', { args: ['--api-key=s3cr3t!'] }, 'no ********'],
    ['an argument with one dash', 'no s3cr3t!', { args: ['-apiKey', 's3cr3t!'] }, 'no ********'],
    ['an argument with a dotted name', 'no s3cr3t!', { args: ['--server.token', 's3cr3t!'] }, 'no ********'],
    ['a variable in an argument', 'no s3cr3t!', { args: ['-e', 'API_KEY=s3cr3t!'] }, 'no ********'],
    ['two lines in an argument', 'no a\ns3cr3t', { args: ['--key=a\ns3cr3t'] }, 'no ********'],
    [
      'a header in an argument',
      'no t0ken.x',
      { args: ['--header', 'Authorization: Bearer t0ken.x'] },
      'no ********',
    ],
    ['a header without a space', 'no t0ken.x', { args: ['Authorization:Bearer t0ken.x'] }, 'no ********'],
    ['not a volume', 'in /srv/data', { args: ['-v', 'key-store:/srv/data'] }, 'in /srv/data'],
    [
      'not what no option names',
      'the workspace',
      {
        args: [
          'see --token=workspace',
          'see --token',
          'workspace',
          '--a b',
          'token',
          'workspace',
          '--no-auth!',
          'workspace',
        ],
      },
      'the workspace',
    ],
    ['a header of MCP', 'got s3cr3t!', { headers: { 'Mcp-Api-Key': 's3cr3t!' } }, 'got ********'],
    ['two spaces in a header', 'got s3cr3t!', { headers: { A: 'Key  s3cr3t!' } }, 'got ********'],
    ['the argument after its name', 'no s3cr3t!', { args: ['--token', 's3cr3t!', 'x'] }, 'no ********'],
    ['a password in an argument', 'for hunter22', { args: ['postgres://u:hunter22@db/x'] }, 'for ********'],
    [
      'a password in a variable',
      'for hunter22',
      { env: { DB: 'postgres://u:hunter22@db/x' } },
      'for ********',
    ],
    [
      'not a header that says how to read',
      'wants application/json',
      {
        headers: {
          Accept: 'application/json',
          'content-type': 'application/json',
          'Accept-Encoding': 'application/json',
          'MCP-Protocol-Version': 'application/json',
        },
      },
      'wants application/json',
    ],
    ['a header that ends like one', 'got s3cr3t!', { headers: { 'X-Host': 's3cr3t!' } }, 'got ********'],
    ['a header that begins like one', 'got s3cr3t!', { headers: { Hostess: 's3cr3t!' } }, 'got ********'],
    ['not an argument that is none', 'the workspace', { args: ['--dir', 'workspace'] }, 'the workspace'],
  ])('has no trace of %s', (_, text, given, expected) => {
    expect(masked(text, given)).toBe(expected);
  });

  it('is every text while a server may have its secrets, and a little longer', () => {
    vi.useFakeTimers();
    const { end } = maskSecrets({
      ...settings,
      env: { API_KEY: 'of-variable', LEVEL: 'of-level-1' },
      headers: { Authorization: 'Bearer of-header-1' },
      args: ['--token', 'of-argument'],
    });
    const told = 'of-variable of-level-1 of-header-1 of-argument';
    expect(redactText(told)).toBe('******** of-level-1 ******** ********');
    end();
    expect(redactText(told)).not.toContain('of-variable');
    vi.runAllTimers();
    expect(redactText(told)).toBe(told);
  });

  it('never holds a secret, whatever is around it', () => {
    const word = fc.string({ minLength: 6, maxLength: 20 }).filter((text) => !/[\r\n*]/.test(text));
    fc.assert(
      fc.property(word, fc.string(), fc.string(), (secret, before, after) => {
        expect(masked(`${before}${secret}${after}`, { env: { SECRET: secret } })).not.toContain(secret);
      }),
    );
  });
});

it.each<[Partial<ConnectionSettings>, string[]]>([
  [{ env: { API_KEY: 'abc', LEVEL: 'info', DB: 'postgres://u:pw@x/y' } }, ['API_KEY', 'DB']],
  [
    { headers: { Authorization: 'Bearer a', Accept: 'x', 'x-team': 'b' } },
    ['header Authorization', 'header x-team'],
  ],
  [{ oauth: { clientSecret: 'sesame' }, url: 'https://x/?key=1' }, ['oauth.clientSecret', 'url']],
  [{ args: ['--token', 's3cr3t'] }, ['args']],
  [{ args: ['postgres://u:hunter22@db/x'] }, ['args']],
  [{ args: ['-e', 'API_KEY=s3cr3t'] }, ['args']],
  [{ args: ['--token'] }, []],
  [{ headers: { 'Mcp-Api-Key': 'x', 'Mcp-Protocol-Version': '1' } }, ['header Mcp-Api-Key']],
  [{ args: ['--verbose'], env: { API_KEY: '' }, url: 'https://x/' }, []],
])('secrets of settings are named, and never told: %j', (given, names) => {
  expect(secretNames({ ...settings, ...given })).toEqual(names);
});
