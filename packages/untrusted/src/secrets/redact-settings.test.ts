// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables are written like that
import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../../vitest.processor.ts';
import { redactSettings } from './redact-settings.ts';

describe('redactSettings', () => {
  it('masks strings under keys that name a secret, at any depth, and leaves the rest', () => {
    const shown = redactSettings({
      name: 'nexus',
      options: { API_KEY: 'abc', 'private-key': 'def', LOG_LEVEL: 'info' },
      credentials: { user: 'ada', pin: ['1', '2'] },
      tokens: 5,
    });
    expect(shown).toEqual({
      name: 'nexus',
      options: { API_KEY: '********', 'private-key': '********', LOG_LEVEL: 'info' },
      credentials: { user: '********', pin: ['********', '********'] },
      tokens: 5,
    });
  });

  it('masks every literal value that a server gets by its environment or by headers', () => {
    expect(redactSettings({ env: { REGION: 'eu', EMPTY: '' }, headers: { 'X-Team': 'a' } })).toEqual({
      env: { REGION: '********', EMPTY: '' },
      headers: { 'X-Team': '********' },
    });
  });

  it('shows a plain path under a name of one, unless that says that it is of a secret', () => {
    const shown = {
      MEMORY_FILE_PATH: '/srv/data/memory.json',
      LOG_DIR: '~/logs',
      CONFIG_FILE: 'C:\\data\\my notes.yaml',
      data_path: '${HOME}/data',
    };
    expect(redactSettings({ env: shown })).toEqual({ env: shown });
    expect(redactSettings('/srv/a', ['toolboxes', 'a', 'env', 'LOG_DIR'])).toBe('/srv/a');
    const masked = {
      TOKEN_FILE: '/srv/token',
      SSH_KEY_PATH: '/srv/id',
      SECRETS_DIR: '/srv/s',
      DATA_PATH: 'hunter2',
      LOG_DIR: 'https://ada.example/x',
      CACHE_DIR: '/x/Qf29LkZ9aa71bQ8w',
      WHERE: '/srv/a',
    };
    const mask = Object.fromEntries(Object.keys(masked).map((name) => [name, '********']));
    expect(redactSettings({ env: masked })).toEqual({ env: mask });
    const { OUT_DIR } = redactSettings({ OUT_DIR: `/srv/ghp_${'a1'.repeat(18)}` }) as { OUT_DIR: string };
    expect(OUT_DIR).not.toContain('a1a1');
  });

  it('shows variables as written, and no default of one', () => {
    const headers = {
      Authorization: 'Bearer ${TOKEN}',
      A: 'Bearer abc',
      B: 'x${TOKEN:-s3cret}',
      C: '${URL}',
    };
    expect(redactSettings({ headers, args: ['--token=${TOKEN:-s3cret}', '--key', '${KEY}'] })).toEqual({
      headers: {
        Authorization: 'Bearer ${TOKEN}',
        A: 'Bearer ********',
        B: '********${TOKEN:-********}',
        C: '${URL}',
      },
      args: ['--token=${TOKEN:-********}', '--key', '${KEY}'],
    });
  });

  it.each([
    ['run --db postgres://ada:s3cret@db/x', 'run --db postgres://ada:********@db/x'],
    ['+postgres://ada:s3cret@db/x', '+postgres://ada:********@db/x'],
    ['%20postgres://ada:s3cret@db/x', '%20postgres://ada:********@db/x'],
    ['--token=abc', '--token=********'],
    ['--api-key=abc --verbose', '--api-key=******** --verbose'],
    ['--password abc -v', '--password ******** -v'],
    ['GITHUB_TOKEN=abc', 'GITHUB_TOKEN=********'],
    ['Authorization: Bearer abc', 'Authorization: Bearer ********'],
    ['X-Api-Key: abc', 'X-Api-Key: ********'],
    ['curl -H "Bearer abcdefgh1"', 'curl -H "Bearer ********"'],
    ['https://a.example/mcp?key=abc&q=1', 'https://a.example/mcp?key=********&q=1'],
    [
      'https://a.example/mcp?q=1&access_token=a%20b#top',
      'https://a.example/mcp?q=1&access_token=********#top',
    ],
    [`use ghp_${'a1'.repeat(18)} here`, 'use ******** here'],
    [`sk-ant-api03-${'xY3'.repeat(12)}`, '********'],
    [`vault login hvs.${'aB3'.repeat(10)}`, 'vault login ********'],
  ])('masks what looks like a secret inside a text: %s', (text, expected) => {
    expect(redactSettings([text])).toEqual([expected]);
  });

  it('masks the argument after an option that names a secret', () => {
    const args = ['-y', 'server', '--api-key', 'abc', '--token', '--verbose', '--auth', 'def', 'keys'];
    expect(redactSettings({ args })).toEqual({
      args: ['-y', 'server', '--api-key', '********', '--token', '--verbose', '--auth', '********', 'keys'],
    });
  });

  it.each([
    'Basic file operations',
    'Bearer of news',
    'https://a.example/mcp?page=2',
    'npm_run',
    'a:b',
    '--keys',
  ])('leaves prose and plain settings alone: %s', (text) => {
    expect(redactSettings({ description: text })).toEqual({ description: text });
  });

  it('knows by the path what a part of a larger value is', () => {
    expect(redactSettings('info', ['toolboxes', 'a', 'env', 'LEVEL'])).toBe('********');
  });

  it('shows a path that is one text, and masks a list under the same name', () => {
    expect(redactSettings({ env: { LOG_DIR: ['/srv/a'], OUT_DIR: [null] } })).toEqual({
      env: { LOG_DIR: ['********'], OUT_DIR: [null] },
    });
    expect(redactSettings(['/srv/a'], ['env', 'LOG_DIR'])).toEqual(['********']);
  });

  it('takes a section for what its whole name says', () => {
    const shown = { my_env: 'eu', environment: 'eu', 'no-headers': 'eu', headersOf: 'eu' };
    expect(redactSettings(shown)).toEqual(shown);
  });

  it.each([
    ['a name that goes on', '--token'.repeat(20_000)],
    ['words with dots', 'a.'.repeat(50_000)],
  ])('reads a long text in a moment, though it is %s', (_, text) => {
    const begun = processorMs();
    expect(redactSettings({ description: text })).toEqual({ description: text });
    expect(processorMs() - begun).toBeLessThan(1_500);
  });

  it('reads variables that never end in a moment, and masks them', () => {
    const begun = processorMs();
    expect(redactSettings({ env: { A: '${A:-'.repeat(40_000) } })).toEqual({ env: { A: '********' } });
    expect(processorMs() - begun).toBeLessThan(1_500);
  });
});
