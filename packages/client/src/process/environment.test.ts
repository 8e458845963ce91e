import { delimiter, dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { serverEnvironment, withNodeFolder } from './environment.ts';

it('gives a server the few variables of the list, and its own over them', () => {
  const inherited = { PATH: '/bin', AWS_SECRET_ACCESS_KEY: 'x', NEXUS_DATA_DIR: '/data', TERM: 'vt100' };
  expect(serverEnvironment({ OWN: '1', PATH: '/own' }, { from: inherited })).toEqual({
    OWN: '1',
    PATH: '/own',
    ...(process.platform === 'win32' ? {} : { TERM: 'vt100' }),
  });
});

it('gives it what its user named beside those', () => {
  const from = { PATH: '/bin', TOKEN: 'x', OTHER: 'y' };
  const environment = serverEnvironment({}, { from, inherits: ['TOKEN', 'ABSENT'] });
  expect(environment).toMatchObject({ TOKEN: 'x' });
  expect(Object.keys(environment).sort()).toEqual(['PATH', 'TOKEN']);
});

it('hands on no shell function', () => {
  expect(serverEnvironment({}, { from: { PATH: '() { :; }; echo' } }).PATH).not.toContain('echo');
  expect(serverEnvironment({}, { from: { HOME: '() { :; }; echo' } })).not.toHaveProperty('HOME');
});

it('lets a server find npx beside the Node.js that runs this, after all that the path has', () => {
  const path = serverEnvironment({}, { from: { PATH: '/nowhere' } }).PATH?.split(delimiter);
  expect([path?.[0], path?.at(-1)]).toEqual(['/nowhere', dirname(process.execPath)]);
  const at = (folder: string) => resolve('/', folder);
  const nodes = ['node', join(at('brew'), 'node'), join(at('cellar'), 'node')];
  expect(withNodeFolder(at('bin'), nodes)).toBe([at('bin'), at('brew'), at('cellar')].join(delimiter));
  expect(withNodeFolder(at('cellar'), nodes)).toBe([at('cellar'), at('brew')].join(delimiter));
});
