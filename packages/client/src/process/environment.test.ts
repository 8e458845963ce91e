import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { serverEnvironment, withNodeFolder } from './environment.ts';

const { platform } = process;
afterEach(() => void Object.defineProperty(process, 'platform', { value: platform }));

it('gives a server the few variables of the list, and its own over them', () => {
  const inherited = { PATH: '/bin', AWS_SECRET_ACCESS_KEY: 'x', NEXUS_DATA_DIR: '/data', TERM: 'vt100' };
  expect(serverEnvironment({ OWN: '1', PATH: '/own' }, { from: inherited })).toEqual({
    OWN: '1',
    PATH: '/own',
    ...(process.platform === 'win32' ? {} : { TERM: 'vt100' }),
  });
});

it.each([
  ['linux', 'HOME LANG LC_ALL LOGNAME PATH SHELL TERM TMPDIR TZ USER'],
  [
    'win32',
    'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE',
  ],
])('gives a server on %s these of all that there are, and no more', async (system, names) => {
  Object.defineProperty(process, 'platform', { value: system });
  vi.resetModules();
  const asked = new Set<string>();
  const from = new Proxy<NodeJS.ProcessEnv>({}, { get: (_, name) => void asked.add(String(name)) });
  const there = await import('./environment.ts');
  there.serverEnvironment({}, { from });
  expect([...asked].sort()).toEqual(names.split(' '));
});

it('gives it what its user named beside those', () => {
  const from = { PATH: '/bin', TOKEN: 'x', OTHER: 'y' };
  const environment = serverEnvironment({}, { from, inherits: ['TOKEN', 'ABSENT'] });
  expect(environment).toMatchObject({ TOKEN: 'x' });
  expect(Object.keys(environment).sort()).toEqual(['PATH', 'TOKEN']);
});

it('hands on no shell function', () => {
  const own = serverEnvironment({}, { from: {} }).PATH;
  expect(own?.split(delimiter)).toContain(dirname(process.execPath));
  expect(own?.split(delimiter).filter((folder) => !isAbsolute(folder))).toEqual([]);
  expect(serverEnvironment({}, { from: { PATH: '() { :; }; echo' } }).PATH).toBe(own);
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

it('leaves out empty parts of a path, by which a program of the working directory would be started', () => {
  const [bin, brew] = [resolve('/', 'bin'), resolve('/', 'brew')];
  const path = ['', bin, '', ''].join(delimiter);
  expect(withNodeFolder(path, [join(brew, 'node')])).toBe([bin, brew].join(delimiter));
});
