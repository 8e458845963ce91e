import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';

/** How long the last message of a stream may take through the parser behind it. */
const SETTLE_MS = 100;

/** Knows when the stream that was to bring an answer is gone for good. */
export interface LostAnswers {
  readonly fetch: FetchLike;
  /**
   * Resolves when the stream of this request's answer has ended and can't be resumed; undefined where the
   * answer was no stream. By then the answer is there, or it never will be.
   */
  streamEnd(requestId: string | number): Promise<void> | undefined;
}

/**
 * The SDK's transport resumes a stream whose events have ids, and forgets any other: a server that dies in
 * the middle of a call would leave it without an end.
 */
export function watchForLostAnswers(send: FetchLike): LostAnswers {
  const ends = new Map<string, Promise<void>>();
  return {
    async fetch(url, init) {
      const response = await send(url, init);
      const id = requestId(init?.body);
      if (id === undefined || !response.body || !isEventStream(response)) return response;
      const watched = watchStream(response.body);
      ends.set(id, watched.lost);
      void watched.ended.then(() => ends.delete(id));
      return new Response(watched.body, response);
    },
    streamEnd: (id) => ends.get(String(id)),
  };
}

/** Of a request as the connection writes it: `jsonrpc` first, then the id. */
function requestId(body: unknown): string | undefined {
  const [, id] =
    typeof body === 'string' ? (/^\{"jsonrpc":"2\.0","id":(\d+),"method":/.exec(body) ?? []) : [];
  return id;
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

function watchStream(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  let canResume = false;
  let last = '\n';
  let finish = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });

  function look(chunk: Uint8Array): void {
    if (canResume) return;
    const text = last + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    canResume = /[\r\n]id:/.test(text);
    last = text.slice(-3);
  }

  return {
    body: new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (value) {
            look(value);
            controller.enqueue(value);
          }
          if (!done) return;
          finish();
          controller.close();
        } catch (error) {
          finish();
          controller.error(error);
        }
      },
      async cancel(reason) {
        finish();
        await reader.cancel(reason);
      },
    }),
    ended,
    lost: new Promise<void>((resolve) => {
      void ended.then(() => {
        if (!canResume) setTimeout(resolve, SETTLE_MS);
      });
    }),
  };
}
