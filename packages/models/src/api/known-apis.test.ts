import { expect, it } from 'vitest';
import { versioned } from './known-apis.ts';

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
