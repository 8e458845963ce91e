import type { Readable, Writable } from 'node:stream';

/** The far end of a channel under test: bytes, with none of the product's own reading or writing. */
export interface RawClient {
  send(message: unknown): Promise<void>;
  sendRaw(bytes: string | Uint8Array): Promise<void>;
  /** The one iterator of what arrives; reads only as far as it is asked, so a client can be slow. */
  messages(): AsyncIterableIterator<unknown>;
  close(): Promise<void>;
}

export function rawClient({ readable, writable }: { readable: Readable; writable: Writable }): RawClient {
  const iterator = readLines(readable);
  // The server may close first; what a test sees is the end of `messages`.
  writable.on('error', () => {});
  const sendRaw = (bytes: string | Uint8Array) =>
    new Promise<void>((resolve) => writable.write(bytes, () => resolve()));
  return {
    send: (message) => sendRaw(`${JSON.stringify(message)}\n`),
    sendRaw,
    messages: () => iterator,
    async close() {
      writable.end();
      readable.destroy();
    },
  };
}

async function* readLines(readable: Readable): AsyncIterableIterator<unknown> {
  let parts: Buffer[] = [];
  for await (const chunk of readable as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      yield JSON.parse(Buffer.concat([...parts, chunk.subarray(start, end)]).toString('utf8'));
      parts = [];
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
  }
}
