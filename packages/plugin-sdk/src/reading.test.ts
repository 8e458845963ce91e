import { describe, expect, it } from 'vitest';
import { readersInRoom, readingRoom } from './reading.ts';
import { isToolError, ToolError } from './tool-error.ts';
import type { WorkerOutcome, Workers } from './workers.ts';

const { signal } = new AbortController();
const module = new URL('file:///room.js');

const readers = {
  length: (text: string) => text.length,
  refuse: (_: string): number => {
    throw new ToolError('NEXUS_NOT_FOUND', 'it is not there', { detail: { wanted: 'x' } });
  },
};

/** A room whose threads say what a task took, with the limits that they were given. */
function roomWhere(outcome: (reader: string) => WorkerOutcome<unknown>) {
  const limits: number[] = [];
  const workers: Workers = {
    pool: () => ({
      run: async (task, { timeLimitMs }) => {
        limits.push(timeLimitMs);
        return outcome((task as { reader: string }).reader) as WorkerOutcome<never>;
      },
    }),
  };
  return { room: readingRoom<typeof readers>(workers, module), limits };
}

describe('a reading room', () => {
  it('gives all reads of one visit one limit together, and each visit its own', async () => {
    const { room, limits } = roomWhere(() => ({ answer: { value: 1, tookMs: 400 } }));
    const read = room.visit({ signal, limitMs: 1_000 });
    for (let at = 0; at < 3; at += 1) await read('length', 'x');
    await expect(read('length', 'x')).rejects.toThrow(/took longer than 1000 ms/);
    await room.visit({ signal, limitMs: 1_000 })('length', 'x');
    expect(limits).toEqual([1_000, 600, 200, 1_000]);
  });

  it('reads nothing more in a visit in which a text overran', async () => {
    const { room, limits } = roomWhere(() => ({ fault: 'overran', reason: 'took longer than 7 ms' }));
    const read = room.visit({ signal });
    for (let at = 0; at < 2; at += 1) {
      const error = await read('length', 'x').catch((fault: unknown) => fault);
      expect(isToolError(error) && error.code).toBe('NEXUS_INVALID_ARGUMENTS');
    }
    expect(limits).toHaveLength(1);
  });

  it('fails as its readers do', async () => {
    const answer = readersInRoom(readers);
    const answers = {
      length: await answer({ reader: 'length', given: 'abc' }),
      refuse: undefined as unknown,
    };
    answers.refuse = await answer({ reader: 'refuse', given: 'abc' });
    const { room } = roomWhere((reader) => ({ answer: answers[reader as keyof typeof answers] }));
    const read = room.visit({ signal });
    expect(await read('length', 'abc')).toBe(3);
    await expect(read('refuse', 'abc')).rejects.toMatchObject({
      code: 'NEXUS_NOT_FOUND',
      message: 'it is not there',
      detail: { wanted: 'x' },
    });
  });
});
