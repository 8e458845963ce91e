import type { IncomingMessage } from 'node:http';

/** How much of an overlong body is read and dropped, so that its sender gets to read the refusal. */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024;

/** @returns undefined where the body is longer than `maxBytes` or breaks off */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else chunks = [];
      if (bytes > maxBytes + MAX_DROPPED_BYTES) return undefined;
    }
  } catch {
    return undefined;
  }
  if (bytes > maxBytes) return undefined;
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}
