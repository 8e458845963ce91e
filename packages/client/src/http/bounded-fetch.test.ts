import { expect, it } from 'vitest';
import { boundedFetch } from './bounded-fetch.ts';

const event = (characters: number) => `data: ${'x'.repeat(characters)}\n\n`;

async function textOf(type: string, chunks: readonly string[]): Promise<string> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  const send = async () => new Response(body, { headers: { 'content-type': type } });
  return (await boundedFetch(send, 1_000)('http://127.0.0.1/')).text();
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
