import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import {
  chosenDataDirs,
  forgetDataDir,
  isChosen,
  keptOf,
  recordDataDir,
  recordOf,
} from './data-dir-record.ts';
import { realOf } from './real-of.ts';

let root = '';
beforeEach(() => {
  root = realOf(mkdtempSync(join(tmpdir(), 'nexus-record-')));
  vi.stubEnv('XDG_STATE_HOME', join(root, 'state'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(root, { recursive: true });
  });
});

const onLinux = it.runIf(process.platform === 'linux');

onLinux('remembers what was there before, and nothing that came later', async () => {
  const data = join(root, 'data');
  mkdirSync(join(data, 'audit'), { recursive: true });
  for (const name of ['http-token', 'audit/project', 'mine']) writeFileSync(join(data, name), '');
  expect(recordOf(data)).toBeUndefined();
  recordDataDir(data);
  writeFileSync(join(data, 'machine'), '');
  recordDataDir(data);
  const record = recordOf(data);
  expect(record?.dataDir).toBe(data);
  expect([...(record?.before ?? [])].sort()).toEqual(['audit/project', 'http-token']);
  expect(chosenDataDirs()).toEqual([data]);
  await forgetDataDir(data);
  expect(chosenDataDirs()).toEqual([]);
  expect(readdirSync(join(root, 'state', 'nexus'))).toEqual([]);
});

onLinux('is one for each folder, by whatever link', () => {
  const data = join(root, 'data');
  recordDataDir(data);
  mkdirSync(data);
  symlinkSync(data, join(root, 'link'));
  recordDataDir(join(root, 'link'));
  expect(chosenDataDirs()).toEqual([data]);
});

onLinux('is none of a project’s folder in the state directory, unless that is a link', () => {
  const projects = join(root, 'state', 'nexus', 'projects');
  mkdirSync(join(projects, 'a-0123abcd'), { recursive: true });
  symlinkSync(root, join(projects, 'b-0123abcd'));
  expect(isChosen(join(projects, 'a-0123abcd'))).toBe(false);
  for (const path of [
    projects,
    join(projects, 'b-0123abcd'),
    join(projects, 'mine'),
    join(root, 'a-0123abcd'),
  ])
    expect(isChosen(path), path).toBe(true);
});

onLinux('is not read under the name of another folder', () => {
  const [data, other] = [join(root, 'data'), join(root, 'other')];
  recordDataDir(data);
  mkdirSync(keptOf(other));
  writeFileSync(join(keptOf(other), 'first-use.json'), readFileSync(join(keptOf(data), 'first-use.json')));
  expect(recordOf(other)).toBeUndefined();
});

onLinux('does not stop a start where the state directory can’t be written', () => {
  writeFileSync(join(root, 'state'), 'a file');
  const data = join(root, 'data');
  expect(() => recordDataDir(data)).not.toThrow();
  expect(recordOf(data)).toBeUndefined();
});
