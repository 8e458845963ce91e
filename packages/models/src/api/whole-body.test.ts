import { expect, it } from 'vitest';
import { fetchTelling } from './whole-body.ts';

const answering = (body: ReadableStream<Uint8Array> | Buffer, tell: (length: number) => void = () => {}) =>
  fetchTelling(
    (raw) => tell(raw.body.length),
    async () => new Response(body as ConstructorParameters<typeof Response>[0]),
  )('http://127.0.0.1/');

it('hands on what came at once in slices, and others have a turn between any two', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const { body } = await answering(Buffer.from('a line\n'.repeat(100_000)));
  const seen: { length: number; turn: number }[] = [];
  for await (const chunk of body ?? []) seen.push({ length: chunk.length, turn: turns });
  isOver = true;
  expect(seen.reduce((sum, { length }) => sum + length, 0)).toBe(700_000);
  expect(Math.max(...seen.map(({ length }) => length))).toBeLessThanOrEqual(65_536);
  expect(new Set(seen.map(({ turn }) => turn)).size).toBe(seen.length);
});

it('tells of the whole answer before its end is handed on', async () => {
  const told: number[] = [];
  const response = await answering(Buffer.from('x\n'.repeat(200_000)), (length) => told.push(length));
  for await (const _ of response.body ?? []) expect(told).toEqual([400_000]);
});

it('gives a line without end up', async () => {
  const part = new Uint8Array(65_536).fill(0x61);
  let sent = 0;
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += part.length;
      controller.enqueue(part);
    },
    cancel() {
      isCancelled = true;
    },
  });
  const response = await answering(endless);
  await expect(response.text()).rejects.toThrow(/more than 4000000 bytes in a line/);
  expect(isCancelled).toBe(true);
  expect(sent).toBeLessThan(5_000_000);
});
