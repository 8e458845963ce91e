/**
 * All that comes, while it is no more than so many bytes; with the first chunk over that it is broken off.
 * @returns undefined where it is more
 */
export async function bytesUpTo(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels what the chunks come from.
    if (bytes > maxBytes) return undefined;
    kept.push(chunk);
  }
  return Buffer.concat(kept);
}
