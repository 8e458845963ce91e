import { MAX_LINE, tooLong } from '../content/answer-bounds.ts';
import type { RawAnswer } from '../source.ts';

/** What is longer is not kept as it came: it is on record once it is read. */
const MAX_BYTES = 4_000_000;
/** What is read of an answer before anybody else has a turn, however much came at once: some milliseconds' work. */
const SLICE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * A `fetch` that tells of a good answer, whole, as soon as its last byte is here: whoever reads it has those of the
 * last moment only after that, so that reading does not delay what is at risk meanwhile. What came is handed on in
 * slices, and a line without end is no answer.
 */
export function fetchTelling(tell: (raw: RawAnswer) => void, ask: typeof fetch = fetch): typeof fetch {
  return async (...request) => {
    const response = await ask(...request);
    if (!response.ok || !response.body) return response;
    const { status, statusText, headers } = response;
    const type = headers.get('content-type') ?? '';
    const body = watched(response.body, (bytes) => tell({ type, body: new TextDecoder().decode(bytes) }));
    // What came with the head is read first.
    await new Promise((resolve) => setImmediate(resolve));
    return new Response(body, { status, statusText, headers });
  };
}

/** A `fetch` that answers what had come before, and reaches nobody. */
export function fetchOf({ type, body }: RawAnswer): typeof fetch {
  return fetchTelling(
    () => {},
    async () => new Response(body, { headers: { 'content-type': type } }),
  );
}

function watched(
  body: ReadableStream<Uint8Array>,
  tell: (bytes: Uint8Array) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const all: Uint8Array[] = [];
  let size = 0;
  /** Read, and not handed on yet. */
  const chunks: Uint8Array[] = [];
  let isCancelled = false;
  let lineBytes = 0;

  function assertLines(chunk: Uint8Array): void {
    const first = chunk.indexOf(NEWLINE);
    lineBytes += first === -1 ? chunk.length : first;
    if (lineBytes > MAX_LINE) throw tooLong(MAX_LINE, 'bytes in a line');
    if (first !== -1) lineBytes = chunk.length - 1 - chunk.lastIndexOf(NEWLINE);
  }

  function handOnSlice(controller: ReadableStreamDefaultController<Uint8Array>): void {
    for (let left = SLICE_BYTES; left > 0; ) {
      const next = chunks.shift();
      if (!next) return;
      const part = next.subarray(0, left);
      if (part.length < next.length) chunks.unshift(next.subarray(left));
      controller.enqueue(part);
      left -= part.length;
    }
  }

  async function pump(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    let isHanding = false;
    let end: (() => void) | undefined;
    const handOn = () => {
      isHanding = false;
      if (isCancelled) return;
      handOnSlice(controller);
      if (chunks.length > 0) later();
      else end?.();
    };
    const later = () => {
      if (!isHanding) setImmediate(handOn);
      isHanding = true;
    };
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        assertLines(next.value);
        size += next.value.length;
        if (size <= MAX_BYTES) all.push(next.value);
        chunks.push(next.value);
        later();
      }
      if (size <= MAX_BYTES) tell(Buffer.concat(all));
      end = () => controller.close();
    } catch (error) {
      void reader.cancel(error).catch(() => {});
      end = () => controller.error(error);
    }
    later();
  }

  return new ReadableStream<Uint8Array>({
    start: (controller) => void pump(controller),
    cancel(reason) {
      isCancelled = true;
      return reader.cancel(reason);
    },
  });
}
