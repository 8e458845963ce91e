import { describe, expect, it } from 'vitest';
import { remoteId } from './remote-id.ts';

describe('the id of a remote', () => {
  it.each([
    'https://github.com/acme/app.git',
    'https://github.com/acme/app',
    'https://github.com/acme/app/',
    'https://user:ghp_secret@GitHub.com/acme/app.git',
    'https://github.com:443/acme/app.git',
    'git@github.com:acme/app.git',
    'github.com:acme/app',
    'git@github.com:/acme/app.git',
    'ssh://git@github.com/acme/app.git',
    'ssh://git@github.com:22/acme/app.git',
    'git://github.com/acme/app.git',
  ])('is the same for %s', (address) => {
    expect(remoteId(address)).toBe('github.com/acme/app');
  });

  it.each([
    ['a path’s case', 'https://host.example/Acme/App', 'host.example/Acme/App'],
    ['an unusual port', 'ssh://git@host.example:7999/acme/app.git', 'host.example:7999/acme/app'],
  ])('keeps %s', (_what, address, id) => {
    expect(remoteId(address)).toBe(id);
  });

  it.each([
    '/srv/git/app.git',
    '../upstream',
    'C:\\git\\app',
    'C:/git/app',
    'file:///srv/git/app.git',
    'http://localhost:3000/acme/app',
    'git@127.0.0.1:acme/app',
    'https://github.com/',
    'ext::sh -c whoami',
    '',
  ])('does not exist for %s, which means another thing on another machine', (address) => {
    expect(remoteId(address)).toBeUndefined();
  });
});
