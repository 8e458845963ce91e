import { expect, it } from 'vitest';
import { bytesUpTo } from './bytes-up-to.ts';

/** Chunks of two bytes, as many as are asked for, and how many that were. */
function endless() {
  const seen = { chunks: 0, isCancelled: false };
  async function* chunks() {
    try {
      for (;;) {
        seen.chunks += 1;
        yield new Uint8Array([97, 98]);
      }
    } finally {
      seen.isCancelled = true;
    }
  }
  return { seen, chunks: chunks() };
}

it('is all of what is as long as it may be', async () => {
  const chunks = new Response('abcdef').body as AsyncIterable<Uint8Array>;
  expect(String(await bytesUpTo(chunks, 6))).toBe('abcdef');
});

it('is nothing of what is longer, which is broken off by then', async () => {
  const { seen, chunks } = endless();
  expect(await bytesUpTo(chunks, 5)).toBeUndefined();
  expect(seen).toEqual({ chunks: 3, isCancelled: true });
});
