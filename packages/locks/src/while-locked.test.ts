import fs, { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startHolder } from '../test/holder.ts';
import { asHere, asOn } from '../test/other-machine.ts';
import { isLocked, tryLockFile } from './file-lock.ts';
import { whileLocked } from './while-locked.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexus-lock-'));
});
afterEach(() => {
  vi.useRealTimers();
  asHere();
  rmSync(folder, { recursive: true, force: true });
});

it('lets one work at a time, and leaves nothing behind', async () => {
  const path = join(folder, 'lock');
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => whileLocked(path, work, 60_000)));
  expect(most).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

it('is freed by work that fails', async () => {
  const path = join(folder, 'lock');
  await expect(whileLocked(path, () => Promise.reject(new Error('no')), 0)).rejects.toThrow('no');
  expect(await isLocked(path)).toBe(false);
});

it('goes on without a lock that another keeps, and leaves it to them', async () => {
  const path = join(folder, 'lock');
  const holder = await startHolder(path);
  expect(await whileLocked(path, async () => 'went on', 0)).toBe('went on');
  expect(await isLocked(path)).toBe(true);
  await holder.kill();
});

it('waits for one that is freed', async () => {
  const path = join(folder, 'lock');
  const lock = await tryLockFile(path);
  let isFreed = false;
  const works = whileLocked(path, async () => [isFreed, await isLocked(path)], 60_000);
  await delay(80);
  isFreed = true;
  lock?.release();
  expect(await works).toEqual([true, true]);
});

it('waits no longer than it may', async () => {
  const path = join(folder, 'lock');
  const lock = await tryLockFile(path);
  vi.useFakeTimers({ toFake: ['performance'] });
  expect(await whileLocked(path, async () => 'went on', 0)).toBe('went on');
  vi.useRealTimers();
  expect(lock?.isValid()).toBe(true);
  lock?.release();
});

it('waits for each holder that there is in turn, and as long for the last', async () => {
  const path = join(folder, 'lock');
  let lock = await tryLockFile(path);
  vi.useFakeTimers({ toFake: ['performance'] });
  let isFreed = false;
  const works = whileLocked(path, async () => isFreed, 1_000);
  for (let turn = 0; turn < 3; turn += 1) {
    await delay(80);
    vi.advanceTimersByTime(900);
    await delay(80);
    lock?.release();
    lock = await tryLockFile(path);
  }
  isFreed = true;
  lock?.release();
  expect(await works).toBe(true);
});

describe('where a lock is tried for that others have', () => {
  /** Who has it is told by `has`; it is free from the first time on that this says so. */
  async function takingTurns(has: (time: number) => boolean): Promise<typeof whileLocked> {
    let time = 0;
    vi.resetModules();
    vi.doMock('./file-lock.ts', async (original) => ({
      ...(await original<object>()),
      tryLockFile: async () => {
        time += 1;
        return has(time) ? undefined : { release() {}, isValid: () => true };
      },
    }));
    return (await import('./while-locked.ts')).whileLocked;
  }
  afterEach(() => {
    vi.doUnmock('./file-lock.ts');
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it('it is tried for again where it is freed just as its holder is looked for', async () => {
    let tries = 0;
    const whileLocked = await takingTurns((time) => {
      tries = time;
      return time < 3;
    });
    expect(await whileLocked(join(folder, 'nobody’s'), async () => tries, 60_000)).toBe(3);
  });

  it('a holder is another one though its file has the number of the last', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let changed = 0n;
    vi.spyOn(fs, 'statSync').mockImplementation(((_path: string, { bigint }: fs.StatSyncOptions) => {
      changed += 1n;
      vi.advanceTimersByTime(900);
      return { ino: 1, ...(bigint && { ctimeNs: changed }) };
    }) as unknown as typeof fs.statSync);
    // What imports it by its name has it too.
    syncBuiltinESMExports();
    let tries = 0;
    const whileLocked = await takingTurns((time) => {
      tries = time;
      return time < 5;
    });
    expect(await whileLocked(join(folder, 'lock'), async () => tries, 1_000)).toBe(5);
  });
});

it('fails where the lock can’t be asked for, and does not begin', async () => {
  const work = vi.fn();
  await expect(whileLocked(join(folder, 'missing', 'lock'), work, 60_000)).rejects.toThrow('ENOENT');
  expect(work).not.toHaveBeenCalled();
});

it('works at once and unguarded where the platform has no locks', async () => {
  asOn({ hasNative: false });
  const { whileLocked } = await import('./while-locked.ts');
  expect(await whileLocked(join(folder, 'lock'), async () => 'worked', 60_000)).toBe('worked');
});
