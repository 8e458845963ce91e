import { PassThrough } from 'node:stream';
import type { RawClient } from '@nexus/testing';
import { type Answer, httpClient } from './http-client.ts';

/**
 * A client that speaks lines, over HTTP: each line is a POST of its own, sent when the server has begun to
 * answer the one before, and all that comes on any stream is one sequence of messages.
 */
export async function httpLines(
  url: string,
  { token, session }: { token: string; session: string },
): Promise<RawClient> {
  const client = httpClient(url, token);
  const incoming = new PassThrough({ objectMode: true, highWaterMark: 1 }).setMaxListeners(0);
  let rest = Buffer.alloc(0);
  let posts: Promise<void> = Promise.resolve();
  const streams = new Set<Answer>();

  async function pass(message: unknown): Promise<void> {
    if (!incoming.destroyed && !incoming.write(message)) {
      await new Promise<void>((resolve) => incoming.once('drain', resolve).once('close', resolve));
    }
  }

  async function read(answer: Answer): Promise<void> {
    streams.add(answer);
    try {
      if (answer.headers['content-type'] === 'application/json') return await pass(await answer.json());
      for await (const { data } of answer.events) if (data !== undefined) await pass(data);
    } catch {
      // A stream that breaks off has ended, too.
    } finally {
      streams.delete(answer);
    }
  }

  async function post(line: Uint8Array): Promise<void> {
    const answer = await client.post(session, line);
    void read(answer);
  }

  void read(await client.listen(session)).then(() => incoming.end());

  const sendRaw = (bytes: string | Uint8Array): Promise<void> => {
    const lines = [];
    rest = Buffer.concat([rest, Buffer.from(bytes as string)]);
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      lines.push(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
    }
    for (const line of lines) posts = posts.then(() => post(line));
    return posts;
  };
  const iterator = incoming[Symbol.asyncIterator]();
  return {
    send: (message) => sendRaw(`${JSON.stringify(message)}\n`),
    sendRaw,
    messages: () => iterator,
    async close() {
      await posts;
      await (await client.remove(session)).text();
      incoming.destroy();
      for (const stream of streams) stream.drop();
    },
  };
}
