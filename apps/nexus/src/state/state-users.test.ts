import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { keptOf } from './data-dir-record.ts';
import { projectFolders, stateUsers, useState } from './state-users.ts';

function dataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-users-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('names a process that uses the state, and its project, until it leaves', async () => {
  const data = dataDir();
  const use = await useState(data, '/a/project');
  expect(await stateUsers(data)).toMatchObject([{ pid: process.pid }]);
  use.leave();
  expect(await stateUsers(data)).toEqual([]);
  expect(projectFolders(data)).toEqual(['/a/project']);
});

it('tells a process that is asked to end, which is seen until it has left', async () => {
  const data = dataDir();
  const use = await useState(data, '/a/project');
  for (const user of await stateUsers(data)) user.askToEnd();
  await use.taken;
  const [user] = await stateUsers(data);
  expect(user).toMatchObject({ pid: process.pid });
  user?.askToEnd();
  use.leave();
  expect(await stateUsers(data)).toEqual([]);
});

it('tells a process whose state was removed under it', async () => {
  const data = dataDir();
  const use = await useState(data, '/a/project');
  rmSync(join(data, 'processes'), { recursive: true });
  await use.taken;
  use.leave();
});

it('removes the files of those that were killed, and no other', async () => {
  const data = dataDir();
  const processes = join(data, 'processes');
  mkdirSync(processes, { recursive: true });
  const killed = ['1.0123abcd.lock', '2.0123abcd.lock.asked'];
  const others = ['12.lock', 'index.ts', 'mine.txt'];
  for (const name of [...killed, ...others]) writeFileSync(join(processes, name), '');
  mkdirSync(join(processes, '3.0123abcd'));
  const use = await useState(data, '/a/project');
  await expect.poll(() => readdirSync(processes)).toHaveLength(5);
  expect(readdirSync(processes)).toEqual(expect.arrayContaining([...others, '3.0123abcd']));
  expect(await stateUsers(data)).toMatchObject([{ pid: process.pid }]);
  use.leave();
});

it('takes no word of a project from a chosen data directory', async () => {
  const data = dataDir();
  const other = dataDir();
  const use = await useState(other, '/another/project');
  use.leave();
  cpSync(join(keptOf(other), 'project-folders'), join(data, 'project-folders'), { recursive: true });
  expect(projectFolders(data)).toEqual([]);
});

it('leaves a file by the name of a lock that holds something', async () => {
  const data = dataDir();
  mkdirSync(join(data, 'processes'));
  const mine = join(data, 'processes', '1.0123abcd.lock');
  writeFileSync(mine, 'mine');
  expect(await stateUsers(data)).toEqual([]);
  expect(existsSync(mine)).toBe(true);
});

it('takes no word of a project from a file that is not its own', async () => {
  const data = dataDir();
  const use = await useState(data, '/a/project');
  for (const name of ['readme.txt', '0123456789abcdef'])
    writeFileSync(join(keptOf(data), 'project-folders', name), '/another/project\n');
  expect(projectFolders(data)).toEqual(['/a/project']);
  use.leave();
});
