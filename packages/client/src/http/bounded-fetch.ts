import { mediaTypeEssence } from '@modelcontextprotocol/sdk/shared/mediaType.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { BEYOND_BOUNDS, boundsFault } from '@nexus/primitives';

/** As long as a message may be on stdio, too. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

const STREAM = 'text/event-stream';

/** A line ends by any of these; two of them end an event. */
const BLANK_LINE = /(?:\r\n|\n|\r(?!\n)){2}/g;
const LONGEST_BLANK_LINE = 4;

/**
 * A body, or an event of a stream, that is longer than a message may be, or holds more, is broken off before
 * anybody parses it.
 * @param read sees each whole body or event that is passed on
 */
export function boundedFetch(
  send: FetchLike,
  maxBytes: number = MAX_MESSAGE_BYTES,
  read: (text: string) => void = () => {},
): FetchLike {
  return async (url, init) => {
    const response = await send(url, init);
    if (!response.body) return response;
    const faultOf = isStream(init, response) ? faultOfEvents(maxBytes, read) : faultOfBody(maxBytes, read);
    const limiter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        // The marks of JSON and of a stream are ASCII.
        const fault = faultOf(
          Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1'),
        );
        if (fault === undefined) controller.enqueue(chunk);
        else controller.error(new Error(`a message ${fault}`));
      },
      flush(controller) {
        const fault = faultOf(undefined);
        if (fault !== undefined) controller.error(new Error(`a message ${fault}`));
      },
    });
    return new Response(response.body.pipeThrough(limiter), response);
  };
}

/** As the SDK reads it: what answers a request for a stream is one, whatever it says of itself. */
function isStream(init: RequestInit | undefined, { headers }: Response): boolean {
  return [new Headers(init?.headers).get('accept'), mediaTypeEssence(headers.get('content-type'))].includes(
    STREAM,
  );
}

/** Takes what comes, and undefined at its end; gives why it is not read. */
type FaultOf = (text: string | undefined) => string | undefined;

function faultOfBody(maxBytes: number, read: (text: string) => void): FaultOf {
  let whole = '';
  return (text) => {
    whole += text ?? '';
    if (whole.length > maxBytes) return `is longer than ${maxBytes} bytes`;
    if (text !== undefined) return undefined;
    const fault = boundsFault(whole);
    if (fault === undefined) read(whole);
    return fault && `${fault}; ${BEYOND_BOUNDS}`;
  };
}

/** An event is whole with the chunk that has its blank line, and read by whoever gets that. */
function faultOfEvents(maxBytes: number, read: (text: string) => void): FaultOf {
  let event = '';
  let last = '';
  const faultOfEvent = () => {
    if (event.length > maxBytes) return `is longer than ${maxBytes} bytes`;
    const fault = boundsFault(event);
    return fault && `${fault}; ${BEYOND_BOUNDS}`;
  };
  return (text = '') => {
    const seen = last + text;
    let start = last.length;
    for (const { 0: blank, index } of seen.matchAll(BLANK_LINE)) {
      const end = index + blank.length;
      // It was whole before this chunk.
      if (end <= last.length) continue;
      event += seen.slice(start, end);
      const fault = faultOfEvent();
      if (fault !== undefined) return fault;
      read(event);
      event = '';
      start = end;
    }
    event += seen.slice(start);
    last = seen.slice(-LONGEST_BLANK_LINE);
    return event.length > maxBytes ? `is longer than ${maxBytes} bytes` : undefined;
  };
}
