import { ToolError } from '@nexus/plugin-sdk';
import { bytesUpTo } from '@nexus/primitives';
import type { Response } from 'undici';

/**
 * The body, unpacked. What is unpacked counts, so a small body that unpacks to a large one ends early.
 * @throws {ToolError} NEXUS_UNAVAILABLE where it is larger than that
 */
export async function readBody(response: Response, maxBytes: number, shown: string): Promise<Buffer> {
  if (!response.body) return Buffer.alloc(0);
  const body = await bytesUpTo(response.body as AsyncIterable<Uint8Array>, maxBytes);
  if (body === undefined) throw tooLarge(shown, maxBytes);
  return body;
}

export function tooLarge(shown: string, maxBytes: number): ToolError {
  return new ToolError(
    'NEXUS_UNAVAILABLE',
    `${shown} answers more than ${maxBytes} bytes, and no more are read.`,
    { detail: { maxBytes } },
  );
}
