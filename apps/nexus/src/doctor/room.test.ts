import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Disk, roomIn } from './room.ts';
import { sizeText } from './size-text.ts';

const MB = 1024 ** 2;
const run = (program: string, args: string[]) => execFileSync(program, args, { stdio: 'ignore' });

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-room-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it.each<[string, Disk, string]>([
  ['enough', { freeBytes: 2_000 * MB, totalBytes: 10_000 * MB }, 'ok'],
  ['less than a hundred MB', { freeBytes: 99 * MB, totalBytes: 1_000 * MB }, 'warning'],
  ['less than a hundredth', { freeBytes: 400 * MB, totalBytes: 50_000 * MB }, 'warning'],
  ['a GB of a very large disk', { freeBytes: 1_100 * MB, totalBytes: 4_000_000 * MB }, 'ok'],
])('says of %s what it is', (_, disk, status) => {
  const folder = makeFolder();
  const told = roomIn(folder, () => disk);
  expect(told.status).toBe(status);
  expect(told.saw).toContain(`${sizeText(disk.freeBytes)} of `);
  expect('fix' in told).toBe(status !== 'ok');
  expect(readdirSync(folder)).toEqual([]);
});

it('leaves a folder that is not there to the check that makes it', () => {
  expect(roomIn(join(makeFolder(), 'none'))).toMatchObject({ status: 'ok' });
});

it('fails where the disk is full, and leaves nothing there', (context) => {
  const folder = makeFolder();
  try {
    run('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', folder]);
  } catch {
    console.warn('No tmpfs can be mounted here (root may): a full disk is not tried.');
    return context.skip();
  }
  onTestFinished(() => void run('umount', ['-l', folder]));
  expect(roomIn(folder)).toMatchObject({ status: 'warning' });
  expect(() => writeFileSync(join(folder, 'fill'), Buffer.alloc(2 * MB))).toThrow('ENOSPC');
  expect(roomIn(folder)).toMatchObject({ status: 'failed', saw: expect.stringContaining('ENOSPC') });
  expect(readdirSync(folder)).toEqual(['fill']);
});
