import { expect, it } from 'vitest';
import { boundedFetch } from './bounded-fetch.ts';

const event = (characters: number) => `data: ${'x'.repeat(characters)}\n\n`;

async function textOf(type: string, chunks: readonly string[], maxBytes = 1_000): Promise<string> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  const send = async () => new Response(body, { headers: { 'content-type': type } });
  return (await boundedFetch(send, maxBytes)('http://127.0.0.1/')).text();
}

it('breaks off a body that is longer than a message may be', async () => {
  expect(await textOf('application/json', ['x'.repeat(600), 'y'.repeat(400)])).toHaveLength(1_000);
  await expect(textOf('application/json', ['x'.repeat(600), 'y'.repeat(401)])).rejects.toThrow(
    'longer than 1000',
  );
});

it('bounds each event of a stream, and not the stream', async () => {
  const events = Array.from({ length: 50 }, () => event(300));
  expect(await textOf('text/event-stream', events)).toBe(events.join(''));
  expect(await textOf('text/event-stream', [events.join('')])).toBe(events.join(''));
  expect(await textOf('text/event-stream', [...events.join('')])).toBe(events.join(''));
  const long = event(2_000);
  await expect(
    textOf('text/event-stream', [events.join(''), long.slice(0, 900), long.slice(900)]),
  ).rejects.toThrow('longer than 1000');
  await expect(textOf('text/event-stream', [`${events.join('')}${long}`])).rejects.toThrow(
    'longer than 1000',
  );
});

const blocks = JSON.stringify({ content: Array(150_000).fill({ type: 'text', text: 'x' }) });
const MANY = 'holds more than 150000 objects and arrays; ask for a part of it, or have it sent as one text';
const pieces = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];

it('breaks off a body that holds more than is parsed at once', async () => {
  const few = JSON.stringify({ content: Array(1_000).fill({ type: 'text', text: 'x' }) });
  expect(await textOf('application/json', pieces(few, 100), 1e7)).toBe(few);
  await expect(textOf('application/json', pieces(blocks, 60_000), 1e7)).rejects.toThrow(MANY);
});

it.each([
  ['newlines', '\n\n'],
  ['carriage returns', '\r\r'],
  ['both', '\r\n\r\n'],
])('breaks off an event that holds more than is parsed at once, ended by %s', async (_, end) => {
  const small = `data: {"a":[${'1,'.repeat(2_000)}1]}${end}`.repeat(300);
  expect(await textOf('text/event-stream', pieces(small, 65_537), 1e7)).toBe(small);
  const lines = blocks.replaceAll('},{', `},${end.slice(0, end.length / 2)}data: {`);
  for (const event of [`data: ${blocks}${end}`, `data: ${lines}${end}`]) {
    await expect(textOf('text/event-stream', pieces(small + event, 65_537), 1e7)).rejects.toThrow(
      'a message holds',
    );
  }
});

it.each([
  ['Text/Event-Stream', 'application/json, text/event-stream'],
  ['text/event-stream; charset=utf-8', 'application/json, text/event-stream'],
  ['application/json', 'text/event-stream'],
  [undefined, 'text/event-stream'],
])(
  'hands on nothing of an event that holds too much, of type %s to who asked for %s',
  async (type, accept) => {
    const body = new Blob([`data: ${blocks}\n\n`]).stream();
    const send = async () =>
      new Response(body, { headers: type === undefined ? {} : { 'content-type': type } });
    const response = await boundedFetch(send, 1e7)('http://127.0.0.1/', { headers: { accept } });
    const read: string[] = [];
    const reading = async () => {
      for await (const chunk of response.body ?? []) read.push(Buffer.from(chunk).toString().slice(-2));
    };
    await expect(reading()).rejects.toThrow(MANY);
    expect(read).not.toContain('\n\n');
  },
);
