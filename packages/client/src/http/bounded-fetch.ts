import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';

/** As long as a message may be on stdio, too. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** A body, or an event of a stream, that is longer than a message may be is broken off. */
export function boundedFetch(send: FetchLike, maxBytes: number = MAX_MESSAGE_BYTES): FetchLike {
  return async (url, init) => {
    const response = await send(url, init);
    if (!response.body) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const longest = isStream ? longestEvent() : wholeLength();
    const limiter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (longest(chunk) > maxBytes)
          controller.error(new Error(`a message is longer than ${maxBytes} bytes`));
        else controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(limiter), response);
  };
}

function wholeLength(): (chunk: Uint8Array) => number {
  let length = 0;
  return (chunk) => {
    length += chunk.length;
    return length;
  };
}

/** Of the events that end in a chunk, or go on in the next; a blank line is between two. */
function longestEvent(): (chunk: Uint8Array) => number {
  let length = 0;
  let last = '';
  return (chunk) => {
    const text = last + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    const [first = '', ...more] = text.split(/\n\r?\n/);
    const longest = Math.max(length + first.length - last.length, ...more.map((part) => part.length));
    length = more.at(-1)?.length ?? length + first.length - last.length;
    last = text.slice(-2);
    return longest;
  };
}
