import { renameSync, rmSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { call, madeTrail } from '../test/made-trail.ts';

describe('a trail whose key is gone', () => {
  it('says once that another signs from now on, and nothing when it was put back', async () => {
    using made = madeTrail();
    const warn = vi.fn();
    const log = { debug() {}, info() {}, warn, error() {} };
    const write = async (checkpoints: number) => {
      const trail = await made.begin({ log });
      call(trail, 'memory_write');
      for (let taken = 0; taken < checkpoints; taken += 1) await trail.checkpoint();
      await trail.close();
    };
    await write(1);
    expect(warn).not.toHaveBeenCalled();

    renameSync(made.keyFile, `${made.keyFile}.away`);
    await write(2);
    expect(warn.mock.calls).toEqual([
      [
        expect.stringContaining('is not the one that signed it before'),
        expect.objectContaining({ file: made.keyFile }),
      ],
    ]);

    rmSync(made.keyFile);
    renameSync(`${made.keyFile}.away`, made.keyFile);
    warn.mockClear();
    await write(1);
    // The newest was signed by the one that had come between.
    expect(warn).toHaveBeenCalledOnce();
    warn.mockClear();
    await write(1);
    expect(warn).not.toHaveBeenCalled();
  });
});
