import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { KNOWN_APIS, versioned } from './known-apis.ts';

it.each([
  ['https://api.anthropic.com', 'v1', 'https://api.anthropic.com/v1'],
  ['https://api.anthropic.com/', 'v1', 'https://api.anthropic.com/v1'],
  ['https://api.anthropic.com/v1', 'v1', 'https://api.anthropic.com/v1'],
  ['https://api.anthropic.com/v1/', 'v1', 'https://api.anthropic.com/v1'],
  ['http://127.0.0.1:80/anthropic', 'v1', 'http://127.0.0.1:80/anthropic/v1'],
  [
    'https://generativelanguage.googleapis.com/v1beta',
    'v1beta',
    'https://generativelanguage.googleapis.com/v1beta',
  ],
  ['https://x/v2', 'v1', 'https://x/v2'],
])('reads %s with %s as %s', (given, version, url) => {
  expect(versioned(given, version)).toBe(url);
});

it.each(Object.entries(KNOWN_APIS))(
  'docs/models.md names the variables that %s is found by, and in their order',
  (name, api) => {
    const page = readFileSync(new URL('../../../../docs/models.md', import.meta.url), 'utf8');
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
    const variables = [...row.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, variable]) => variable);
    expect(variables).toEqual([...api.keyVariables, ...api.baseUrlVariables]);
  },
);
