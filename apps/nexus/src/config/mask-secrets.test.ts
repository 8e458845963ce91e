import { describe, expect, it } from 'vitest';
import { maskSecrets } from './mask-secrets.ts';

describe('maskSecrets', () => {
  it('masks strings under keys that name a secret, at any depth, and leaves the rest', () => {
    const shown = maskSecrets({
      name: 'nexus',
      env: { API_KEY: 'abc', GITHUB_TOKEN: 'def', LOG_LEVEL: 'info' },
      credentials: { user: 'ada', pin: ['1', '2'] },
      tokens: 5,
    });
    expect(shown).toEqual({
      name: 'nexus',
      env: { API_KEY: '********', GITHUB_TOKEN: '********', LOG_LEVEL: 'info' },
      credentials: { user: '********', pin: ['********', '********'] },
      tokens: 5,
    });
  });

  it('masks the password of a URL wherever it stands', () => {
    expect(maskSecrets(['run --db postgres://ada:s3cret@db/x'])).toEqual([
      'run --db postgres://ada:********@db/x',
    ]);
  });
});
