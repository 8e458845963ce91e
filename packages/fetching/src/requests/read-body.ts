import { ToolError } from '@nexus/plugin-sdk';
import type { Response } from 'undici';

/**
 * The body, unpacked. What is unpacked counts, so a small body that unpacks to a large one ends early.
 * @throws {ToolError} NEXUS_UNAVAILABLE where it is larger than that
 */
export async function readBody(response: Response, maxBytes: number, shown: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  if (!response.body) return Buffer.alloc(0);
  // Leaving the loop by an error cancels the body.
  for await (const part of response.body as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > maxBytes) throw tooLarge(shown, maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

export function tooLarge(shown: string, maxBytes: number): ToolError {
  return new ToolError(
    'NEXUS_UNAVAILABLE',
    `${shown} answers more than ${maxBytes} bytes, and no more are read.`,
  );
}
