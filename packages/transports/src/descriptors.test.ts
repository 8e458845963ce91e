import type { Socket } from 'node:net';
import type { Log } from '@nexus/plugin-sdk';
import { expect, it, vi } from 'vitest';
import { createDescriptorCheck, openFilesLimit } from './descriptors.ts';

function socketOf(fd: number | undefined): Socket {
  return { _handle: fd === undefined ? null : { fd } } as unknown as Socket;
}

it.skipIf(process.platform === 'win32')(
  'turns away what would take the last 64 files, and says so once',
  () => {
    const error = vi.fn();
    const leavesRoom = createDescriptorCheck({ error } as unknown as Log);
    const limit = openFilesLimit();
    expect(limit).toBeGreaterThan(160);
    expect([3, 159, limit - 65].map((fd) => leavesRoom(socketOf(fd)))).toEqual([true, true, true]);
    expect(error).not.toHaveBeenCalled();
    expect([limit - 64, limit - 1].map((fd) => leavesRoom(socketOf(fd)))).toEqual([false, false]);
    expect(error).toHaveBeenCalledTimes(1);
    expect(error.mock.calls[0]?.[1]).toMatchObject({ limit, fix: expect.stringContaining('ulimit -n') });
    expect([-1, undefined].map((fd) => leavesRoom(socketOf(fd)))).toEqual([true, true]);
  },
);
