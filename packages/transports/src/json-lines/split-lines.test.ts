import { describe, expect, it } from 'vitest';
import { createLineSplitter } from './split-lines.ts';

function split(chunks: readonly (string | Buffer)[], maxLineBytes = 64) {
  const lines: string[] = [];
  const overlong: { head: string; tail: string }[] = [];
  const splitter = createLineSplitter(maxLineBytes, {
    line: (bytes) => lines.push(bytes.toString('utf8')),
    overlong: (head, tail) => overlong.push({ head: head.toString(), tail: tail.toString() }),
  });
  for (const chunk of chunks) splitter.write(Buffer.from(chunk));
  splitter.end();
  return { lines, overlong };
}

describe('splitting bytes into lines', () => {
  it.each([
    ['several lines in one chunk', ['a\nb\n\nc\n'], ['a', 'b', '', 'c']],
    ['one line in many chunks', ['a', 'b', 'c\n'], ['abc']],
    ['a chunk that ends one line and begins the next', ['a', 'b\nc', 'd\n'], ['ab', 'cd']],
    ['a newline in a chunk of its own', ['ab', '\n', 'c\n'], ['ab', 'c']],
    ['a last line without a newline', ['a\nb'], ['a', 'b']],
    ['nothing at all', [''], []],
    ['a byte order mark at the start', ['\ufeffa\n\ufeffb\n'], ['a', '\ufeffb']],
    ['a byte order mark in pieces', [Buffer.of(0xef), Buffer.of(0xbb, 0xbf), 'a\n'], ['a']],
    ['carriage returns, which belong to the line', ['a\r\nb\rc\n'], ['a\r', 'b\rc']],
  ])('handles %s', (_, chunks, lines) => {
    expect(split(chunks)).toEqual({ lines, overlong: [] });
  });

  it('takes a line of exactly the limit, whole or in pieces', () => {
    const line = 'x'.repeat(64);
    expect(split([`${line}\n`, line.slice(1), 'x\n']).lines).toEqual([line, line]);
  });

  it.each([
    ['in one chunk', [`${'x'.repeat(65)}\nnext\n`]],
    ['in pieces', ['x'.repeat(60), 'x'.repeat(5), '\nnext\n']],
    ['far over the limit', [...Array(100).fill('x'.repeat(60)), '\nnext\n']],
  ])('reports a line over the limit once and reads the next: %s', (_, chunks) => {
    const { lines, overlong } = split(chunks);
    expect(lines).toEqual(['next']);
    expect(overlong).toHaveLength(1);
  });

  it('keeps the beginning and the end of a line over the limit, cut anywhere', () => {
    const line = `<${'x'.repeat(5000)}>`;
    const whole = [{ head: line.slice(0, 1024), tail: line.slice(-1024) }];
    expect(split([`${line}\n`], 2048).overlong).toEqual(whole);
    for (const size of [1, 7, 1000, 6000]) {
      const chunks = Array.from({ length: Math.ceil(line.length / size) }, (_, at) =>
        line.slice(at * size, (at + 1) * size),
      );
      const { overlong } = split([...chunks, '\n'], 2048);
      expect(overlong).toEqual(whole);
    }
  });

  it('reports a line over the limit that the end of input cuts off', () => {
    expect(split(['x'.repeat(100)]).overlong).toHaveLength(1);
  });

  it('holds no more than the limit of a line that never ends', () => {
    const splitter = createLineSplitter(1024 * 1024, { line() {}, overlong() {} });
    const chunk = Buffer.alloc(64 * 1024, 'x');
    splitter.write(chunk);
    const before = process.memoryUsage().arrayBuffers;
    for (let at = 0; at < 4096; at += 1) splitter.write(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024);
  });

  it('takes no more for a short piece of a line than the piece needs', () => {
    const splitter = createLineSplitter(256 * 1024 * 1024, { line() {}, overlong() {} });
    const before = process.memoryUsage().arrayBuffers;
    splitter.write(Buffer.from('x'));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
  });

  it.each([
    ['keeps what it holds lines in', 20_000, true],
    ['keeps what it holds lines in, up to 64 KiB', 64 * 1024, true],
    ['lets go what it held a long line in', 64 * 1024 + 1, false],
  ])('%s for the next', (_, firstBytes, isKept) => {
    const held: ArrayBufferLike[] = [];
    const splitter = createLineSplitter(1024 * 1024, {
      line: (bytes) => void held.push(bytes.buffer),
      overlong() {},
    });
    for (const bytes of [firstBytes, 10_000]) {
      splitter.write(Buffer.alloc(bytes, 'x'));
      splitter.write(Buffer.from('\n'));
    }
    expect(held[0] === held[1]).toBe(isKept);
  });

  it('reads a line of 2 MB that comes byte by byte in bounded memory', () => {
    let length = 0;
    const splitter = createLineSplitter(16 * 1024 * 1024, {
      line: (bytes) => {
        length = bytes.length;
      },
      overlong() {},
    });
    const byte = Buffer.from('x');
    const heapBefore = process.memoryUsage().heapUsed;
    for (let at = 0; at < 2 * 1024 * 1024; at += 1) splitter.write(byte);
    expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(50 * 1024 * 1024);
    splitter.write(Buffer.from('\n'));
    expect(length).toBe(2 * 1024 * 1024);
  });
});
