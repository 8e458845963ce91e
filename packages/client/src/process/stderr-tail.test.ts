import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { keepStderrTail } from './stderr-tail.ts';

function tailOf(...chunks: (string | Buffer)[]) {
  const stderr = new PassThrough();
  const heard = vi.fn();
  const tail = keepStderrTail(stderr, (text) => text.replaceAll('secret', '***'), heard);
  for (const chunk of chunks) stderr.write(chunk);
  const lines = () => heard.mock.calls.map(([line]) => line);
  return { tail, lines, stderr };
}

describe('the tail of stderr', () => {
  it('is nothing for a silent process', () => {
    expect(tailOf('').tail.text()).toBeUndefined();
  });

  it('has the last twenty lines and how much was before them, each heard as it came', () => {
    const { tail, lines } = tailOf(Array.from({ length: 30 }, (_, index) => `line ${index}\n`).join(''));
    expect(tail.text()?.split('\n')).toEqual(
      Array.from(
        { length: 20 },
        (_, index) => `${index === 0 ? '(70 characters before) …' : ''}line ${index + 10}`,
      ),
    );
    expect(lines()).toHaveLength(30);
  });

  it('joins lines and characters that came in pieces, and masks the whole', () => {
    const euro = Buffer.from('€');
    const { tail, lines } = tailOf('a sec', 'ret for 5', euro.subarray(0, 1), euro.subarray(1), '\r\n', '\n');
    expect(lines()).toEqual(['a *** for 5€']);
    expect(tail.text()).toBe('a *** for 5€');
  });

  it('has what was written of the last line', () => {
    const { tail, lines } = tailOf('whole\nthe secret is');
    expect(tail.text()).toBe('whole\nthe *** is');
    expect(lines()).toEqual(['whole']);
  });

  it('holds no more than some four thousand characters, however long a line', () => {
    const { tail } = tailOf('x'.repeat(100_000), `${'y'.repeat(5000)}\n`, 'end\n');
    expect(tail.text()).toBe('(105002 characters before) …end');
  });
});
