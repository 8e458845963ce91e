import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { requireDataDir } from '../server/require-data-dir.ts';
import { keepPrivate } from './keep-private.ts';

let root = '';
let umask = 0;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nexus-private-'));
  vi.stubEnv('XDG_STATE_HOME', join(root, 'state'));
  umask = process.umask(0);
  onTestFinished(() => {
    process.umask(umask);
    vi.unstubAllEnvs();
    rmSync(root, { recursive: true });
  });
});

const withModes = it.runIf(process.platform === 'linux');
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

function put(...parts: string[]): string {
  const file = join(root, ...parts);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, 'x');
  return file;
}

withModes('a data directory is made for its user alone, whatever the umask', () => {
  const dataDir = join(root, 'a', 'b');
  requireDataDir(dataDir);
  expect([dataDir, dirname(dataDir), join(root, 'state', 'nexus')].map(modeOf)).toEqual([
    '700',
    '700',
    '700',
  ]);
});

withModes('one that is open to others, with all that is in it, is closed', () => {
  const files = [
    'nexus.sqlite',
    'auth/0123456789abcdef0123456789abcdef.json',
    'http-token',
    'logs/nexus.jsonl',
  ];
  const made = files.map((file) => put('data', file));
  for (const mode of [0o777, 0o775, 0o755, 0o701]) {
    const dataDir = join(root, 'data');
    chmodSync(dataDir, mode);
    requireDataDir(dataDir);
    expect([dataDir, dirname(made[1] ?? '')].map(modeOf)).toEqual(['700', '700']);
  }
  expect(made.map(modeOf)).toEqual(files.map(() => '600'));
});

withModes('what is kept of all projects is closed, with each project’s', () => {
  const dataDir = join(root, 'state', 'nexus', 'projects', 'p-01234567');
  const record = put('state', 'nexus', 'trust', 'abc.json');
  put('state', 'nexus', 'projects', 'p-01234567', 'machine');
  keepPrivate(dataDir);
  const folders = [dataDir, dirname(dataDir), dirname(record), join(root, 'state', 'nexus')];
  expect([...folders.map(modeOf), modeOf(record)]).toEqual(['700', '700', '700', '700', '600']);
});

withModes('beside others’ files what is Nexus’s is closed, and nothing else is touched', () => {
  const dataDir = join(root, 'data');
  const own = [put('data', 'machine'), put('data', 'auth', '0123456789abcdef0123456789abcdef.json')];
  const others = [put('data', 'mine.txt'), put('data', 'logs', 'other.log')];
  put('data', 'logs', 'nexus.jsonl');
  chmodSync(dataDir, 0o755);
  requireDataDir(dataDir);
  expect(own.map(modeOf)).toEqual(['600', '600']);
  expect(modeOf(join(dataDir, 'auth'))).toBe('700');
  expect(modeOf(join(dataDir, 'logs', 'nexus.jsonl'))).toBe('600');
  expect([dataDir, join(dataDir, 'logs'), ...others].map(modeOf)).toEqual(['755', '777', '666', '666']);
});

withModes('beside others’ files it is refused, with the fix, where others may write', () => {
  const dataDir = join(root, 'data');
  const other = put('data', 'mine.txt');
  expect(() => requireDataDir(dataDir)).toThrow(
    `${dataDir} holds more than Nexus’s files, and others may write to it; run chmod go-w ${dataDir}`,
  );
  expect([modeOf(dataDir), readFileSync(other, 'utf8')]).toEqual(['777', 'x']);
  chmodSync(dataDir, 0o755);
  requireDataDir(dataDir);
});

withModes('a state directory that can’t be used stops nobody whose data lie elsewhere', () => {
  put('state', 'nexus', 'mine.txt');
  const dataDir = join(root, 'data');
  requireDataDir(dataDir);
  expect(() => keepPrivate(join(root, 'state', 'nexus', 'projects', 'p-01234567'))).toThrow('chmod go-w');
});
