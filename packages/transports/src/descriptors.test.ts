import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { collectingLog } from '../test/collecting-log.ts';
import { createDescriptorCheck } from './descriptors.ts';
import { openFilesLimit } from './open-files-limit.ts';

function socketOf(fd: number | undefined): Socket {
  return { _handle: fd === undefined ? null : { fd } } as unknown as Socket;
}

it.skipIf(process.platform === 'win32')('turns away what would take the last files, and says so once', () => {
  const { log, lines } = collectingLog();
  const lackOf = createDescriptorCheck(log, 64);
  const limit = openFilesLimit();
  expect(limit).toBeGreaterThan(128);
  expect([3, limit - 65, -1, undefined].map((fd) => lackOf(socketOf(fd)))).toEqual(Array(4).fill(undefined));
  expect(lines).toEqual([]);
  for (const fd of [limit - 64, limit - 1]) expect(lackOf(socketOf(fd))).toContain(`${limit} files open`);
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines)).toContain('ulimit -n');
});
