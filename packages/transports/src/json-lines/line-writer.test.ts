import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { createLineWriter } from './line-writer.ts';

/** A stream that keeps what it is given, one entry a write, and takes the next when it is told to. */
function slowStream({ highWaterMark = 1024 } = {}) {
  const writes: string[] = [];
  let take = () => {};
  const stream = new Writable({
    highWaterMark,
    decodeStrings: false,
    write(chunk, _encoding, done) {
      writes.push(String(chunk));
      take = done;
    },
  });
  return { stream, writes, take: () => take() };
}

function writerOn(stream: Writable) {
  return createLineWriter(stream, { maxQueuedBytes: 4096, drained() {}, failed() {} });
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a line writer', () => {
  it('writes the lines of one turn at once, text and bytes alike, in their order', async () => {
    const { stream, writes } = slowStream();
    const { write } = writerOn(stream);
    void write('a\n');
    void write(Buffer.from('ü\n'));
    void write('ß\n');
    expect(writes).toEqual([]);
    await turn();
    expect(writes).toEqual(['a\nü\nß\n']);
  });

  it('takes along the lines of promises that settle one after the other', async () => {
    const { stream, writes } = slowStream();
    const { write } = writerOn(stream);
    void Promise.resolve()
      .then(() => void write('a\n'))
      .then(() => write('b\n'));
    await turn();
    expect(writes).toEqual(['a\nb\n']);
  });

  it('does not wait for the end of the turn once it holds a lot', () => {
    const { stream, writes } = slowStream({ highWaterMark: 1024 * 1024 });
    const { write } = writerOn(stream);
    void write('a\n');
    void write('b'.repeat(64 * 1024));
    expect(writes).toHaveLength(1);
  });

  it('lets a write wait for a slow reader, and frees it when the stream has drained', async () => {
    const { stream, take } = slowStream({ highWaterMark: 8 });
    const { write } = writerOn(stream);
    const freed = vi.fn();
    void write('12345678').then(freed);
    await turn();
    expect(freed).not.toHaveBeenCalled();
    take();
    await turn();
    expect(freed).toHaveBeenCalledOnce();
  });

  it('frees a write that the stream had room for after all', async () => {
    const { stream, take } = slowStream({ highWaterMark: 8 });
    const { write } = writerOn(stream);
    void write('1234');
    await turn();
    const freed = vi.fn();
    // Four bytes are still on their way now, and have gone by the end of the turn.
    void write('5678').then(freed);
    take();
    await turn();
    expect(freed).toHaveBeenCalledOnce();
  });

  it('counts what it holds among what is queued', () => {
    const { stream } = slowStream();
    const writer = writerOn(stream);
    void writer.write('1234');
    void writer.write('5678');
    expect(writer.queuedBytes).toBe(8);
  });

  it('hands on what it holds before the stream ends', async () => {
    const { stream, writes } = slowStream();
    const writer = writerOn(stream);
    void writer.write('a\n');
    void writer.end();
    expect(writes).toEqual(['a\n']);
  });
});
