import { mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHolder } from '../test/holder.ts';
import { asHere, asOn } from '../test/other-machine.ts';
import { isLocked, takeFileAway, tryLockFile } from './file-lock.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexus-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => {
  asHere();
  expect(openFiles()).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

/** The files of the folder that this process has open; where that can't be asked, none. */
function openFiles(): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      return file.startsWith(folder) ? [file] : [];
    } catch {
      return [];
    }
  });
}

/** Another file in the place of the lock's. */
function replaceFile(): void {
  writeFileSync(`${path}.new`, '');
  renameSync(`${path}.new`, path);
}

describe('a lock on a file', () => {
  it('has one holder at a time, and another when it is released', async () => {
    const first = await tryLockFile(path);
    expect(first).toBeDefined();
    expect(await tryLockFile(path)).toBeUndefined();
    first?.release();
    const second = await tryLockFile(path);
    expect(second).toBeDefined();
    second?.release();
  });

  it.skipIf(process.platform === 'win32')('is made for its owner alone', async () => {
    const lock = await tryLockFile(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    lock?.release();
  });

  it('is released once, and valid until then', async () => {
    const lock = await tryLockFile(path);
    expect(lock?.isValid()).toBe(true);
    lock?.release();
    expect(lock?.isValid()).toBe(false);
    const next = await tryLockFile(path);
    lock?.release();
    expect(lock?.isValid()).toBe(false);
    expect(next?.isValid()).toBe(true);
    next?.release();
  });

  it('is no longer valid once its file is taken away, and then leaves alone what the next holds', async () => {
    const hung = await tryLockFile(path);
    takeFileAway(path);
    expect(hung?.isValid()).toBe(false);
    const next = await tryLockFile(path);
    expect(hung?.isValid()).toBe(false);
    hung?.release();
    expect(next?.isValid()).toBe(true);
    next?.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is not had on a file that was replaced after it was opened', async () => {
    asOn({
      tryLock(native) {
        replaceFile();
        native();
      },
    });
    const { tryLockFile } = await import('./file-lock.ts');
    expect(await tryLockFile(path)).toBeUndefined();
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  it('leaves no file, and whoever had opened the old one does not hold the new', async () => {
    for (let round = 0; round < 200; round += 1) {
      const tries = await Promise.all(Array.from({ length: 8 }, () => tryLockFile(path)));
      const holders = tries.filter((lock) => lock !== undefined);
      expect(holders).toHaveLength(1);
      holders[0]?.release();
    }
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('whether somebody has a lock', () => {
  it.skipIf(process.platform === 'win32')(
    'is so of a process that is stopped, and no longer once it is killed',
    async () => {
      const holder = await startHolder(path);
      process.kill(holder.pid, 'SIGSTOP');
      expect(await isLocked(path)).toBe(true);
      expect(readdirSync(folder)).toEqual(['lock']);
      expect(await tryLockFile(path)).toBeUndefined();
      await holder.kill();
      expect(await isLocked(path)).toBe(false);
      // Looking leaves nothing behind, and holds nothing.
      expect(readdirSync(folder)).toEqual([]);
      (await tryLockFile(path))?.release();
    },
  );

  it('is not so of one who looks at the same time', async () => {
    const looks = await startHolder(path, 'shared');
    expect(await isLocked(path)).toBe(false);
    await looks.kill();
  });

  it('can be asked where there is no file, and fails where there is something else', async () => {
    expect(await isLocked(path)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
    await expect(isLocked(folder)).rejects.toThrow(/EISDIR|EPERM/);
  });

  it('leaves alone a file that was replaced after it was opened', async () => {
    writeFileSync(path, '');
    asOn({
      tryLock(native) {
        replaceFile();
        native();
      },
    });
    const { isLocked } = await import('./file-lock.ts');
    expect(await isLocked(path)).toBe(false);
    expect(readdirSync(folder)).toEqual(['lock']);
  });
});

describe('the native part of the locks', () => {
  it('is loaded from where it lies, without the search of its package', async () => {
    asOn({});
    const { tryLockFile } = await import('./file-lock.ts');
    const lock = await tryLockFile(path);
    expect(lock?.isValid()).toBe(true);
    expect(await tryLockFile(path)).toBeUndefined();
    lock?.release();
  });

  it('is what the package finds where it lies elsewhere', async () => {
    const seen: number[] = [];
    asOn({ hasNative: false, found: (fd) => seen.push(fd) > 1 });
    const { tryLockFile } = await import('./file-lock.ts');
    expect(await tryLockFile(path)).toBeUndefined();
    const lock = await tryLockFile(path);
    expect(lock?.isValid()).toBe(true);
    lock?.release();
    expect(seen).toEqual([expect.any(Number), expect.any(Number)]);
  });

  it('is said to be missing where there is none, by which platform it is', async () => {
    asOn({ hasNative: false });
    const { isLocked, LocksUnsupportedError, tryLockFile } = await import('./file-lock.ts');
    for (const ask of [tryLockFile, isLocked]) {
      const error = await ask(path).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(LocksUnsupportedError);
      expect(error).toMatchObject({
        name: 'LocksUnsupportedError',
        message: `fs-native-extensions has no file locks for ${process.platform}-${process.arch}`,
        cause: expect.any(Error),
      });
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says that a file system has no locks, which is not that another has one', async () => {
    asOn({
      tryLock() {
        throw Object.assign(new Error('no locks available'), { code: 'ENOLCK' });
      },
    });
    const { tryLockFile } = await import('./file-lock.ts');
    await expect(tryLockFile(path)).rejects.toThrow('no locks available');
  });
});
