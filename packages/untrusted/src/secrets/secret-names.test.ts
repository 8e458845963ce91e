import { expect, it } from 'vitest';
import { isSecretArgument, isSecretName } from './secret-names.ts';

it.each([
  ...['clientSecret', 'TOKEN', 'passwd', 'PASSPHRASE', 'apiKey', 'api-key', 'api_key', 'ACCESS_KEY_ID'],
  ...['accesskey', 'private-key', 'credentials', 'Authorization', 'Set-Cookie', 'SIGNING_KEY', 'gh-pat'],
  ...['DB_PASS', 'ftp-pwd'],
])('%s is the name of a secret', (name) => expect(isSecretName(name)).toBe(true));

it.each([
  ...[
    'key',
    'monkey',
    'KEYBOARD',
    'pass',
    'bypass',
    'a_keyboard',
    'x_pathway',
    'compass',
    'path',
    'a-pattern',
  ],
  ...['api.key', 'pwd', ''],
])('%j is none', (name) => expect(isSecretName(name)).toBe(false));

it.each([
  ['--token', 'x'],
  ['-key', 'x'],
  ['--my-api_Key-file', 'x'],
  ['--AUTH', 12],
  ['--server.token', 'x'],
  ['--passwd', 'a-b'],
])('of %s the next argument, %j, is a secret', (name, value) => {
  expect(isSecretArgument(name, value)).toBe(true);
});

it.each([
  ['--token', '--verbose'],
  ['--token', '-v'],
  ['token', 'x'],
  ['see --token', 'x'],
  ['--token=y', 'x'],
  ['--port', 'x'],
  ['-', 'x'],
  [12, 'x'],
  [undefined, 'x'],
  [['--token'], 'x'],
])('of %j the next argument, %j, is none', (name, value) => {
  expect(isSecretArgument(name, value)).toBe(false);
});
