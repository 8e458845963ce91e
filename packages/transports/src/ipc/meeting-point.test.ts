import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { meetingPoint } from './meeting-point.ts';
import { SharingError } from './sharing-error.ts';
import { unixSocketPath, windowsPipeName } from './socket-path.ts';

const uid = process.getuid?.();
let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'nexus-meet-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(base, { recursive: true, force: true });
});

const meet = (identity: Partial<Parameters<typeof meetingPoint>[0]> = {}) =>
  meetingPoint(
    { projectRoot: base, dataDir: join(base, 'data'), buildId: 'b', ...identity },
    { NEXUS_RUNTIME_DIR: base },
  );

describe('who meets whom', () => {
  it('is the same point for the same project, also by way of a link', async () => {
    const link = join(base, 'link');
    symlinkSync(base, link);
    expect((await meet({ projectRoot: link })).hash).toBe((await meet()).hash);
  });

  it.each([
    ['another project', { projectRoot: tmpdir() }],
    ['another config', { configPath: join(tmpdir(), 'nexus.config.json') }],
    ['another data directory', { dataDir: tmpdir() }],
    ['another build', { buildId: 'c' }],
  ])('is another point for %s', async (_, difference) => {
    expect((await meet(difference)).hash).not.toBe((await meet()).hash);
  });

  it('gives each owner a socket path of its own', async () => {
    const point = await meet();
    expect(point.newSocketPath()).not.toBe(point.newSocketPath());
  });
});

describe.skipIf(uid === undefined)('the runtime folder', () => {
  const folder = (owner = uid) => join(base, `nexus-${owner}`);

  it('is made for its user alone', async () => {
    await meet();
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['is a link', () => symlinkSync(tmpdir(), folder()), /link or a file/],
    ['is a file', () => writeFileSync(folder(), ''), /link or a file/],
    ['is open to others', () => openToOthers(folder()), /chmod 700/],
    ['belongs to another user', () => belongToAnother(), /belongs to user/],
  ])('is refused with the fix when it %s', async (_, prepare, reason) => {
    prepare();
    const refused = await meet().catch((error) => error);
    expect(refused).toBeInstanceOf(SharingError);
    expect(refused.message).toMatch(reason);
  });

  it('lies in XDG_RUNTIME_DIR where that is ours, and elsewhere where it is not', async () => {
    const identity = { projectRoot: base, dataDir: base, buildId: 'b' };
    expect((await meetingPoint(identity, { XDG_RUNTIME_DIR: base })).folder).toBe(folder());
    const missing = join(base, 'missing');
    expect((await meetingPoint(identity, { XDG_RUNTIME_DIR: missing })).folder).not.toContain(missing);
  });

  it('is refused with the fix when it can not be made', async () => {
    const missing = join(base, 'missing');
    await expect(
      meetingPoint({ projectRoot: base, dataDir: base, buildId: 'b' }, { NEXUS_RUNTIME_DIR: missing }),
    ).rejects.toThrow(/ENOENT.*NEXUS_RUNTIME_DIR/);
  });

  it('is refused when the path of a socket in it is longer than a socket may have', async () => {
    const long = join(base, 'x'.repeat(200 - base.length - 1));
    mkdirSync(long);
    await expect(
      meetingPoint({ projectRoot: base, dataDir: base, buildId: 'b' }, { NEXUS_RUNTIME_DIR: long }),
    ).rejects.toThrow(/has 2\d\d bytes.*may have 103/);
  });

  function openToOthers(path: string): void {
    mkdirSync(path);
    chmodSync(path, 0o755);
  }

  /** As another user would find it: the folder is the one with that user's number, and ours. */
  function belongToAnother(): void {
    const other = (uid ?? 0) + 1;
    vi.spyOn(process, 'getuid').mockReturnValue(other);
    mkdirSync(folder(other), { mode: 0o700 });
  }
});

describe('a socket path', () => {
  it('may have 103 bytes, counted in UTF-8', () => {
    const rest = '/0123456789abcdef.01234567.sock'.length;
    const folder = `/${'é'.repeat(35)}${'x'.repeat(103 - rest - 71)}`;
    expect(Buffer.byteLength(unixSocketPath(folder, '0123456789abcdef', '01234567'))).toBe(103);
    expect(() => unixSocketPath(`${folder}x`, '0123456789abcdef', '01234567')).toThrow('has 104 bytes');
  });

  it('is a named pipe on Windows', () => {
    expect(windowsPipeName('0123456789abcdef', 'feed')).toBe('\\\\.\\pipe\\nexus-0123456789abcdef-feed');
  });
});
