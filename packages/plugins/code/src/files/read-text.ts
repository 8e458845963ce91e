import { ToolError } from '@nexus/plugin-sdk';
import { readBytes, readBytesSync, type Unreadable } from '@nexus/primitives';
import { type DecodedText, decodeText } from './decode-text.ts';

/**
 * A named file's text.
 * @param path real
 * @param shown the path as the caller knows it, for the message
 * @throws {ToolError} NEXUS_FILE_UNREADABLE when it is a folder, too large, binary, or not permitted
 */
export async function readText(
  path: string,
  { shown, maxBytes }: { shown: string; maxBytes: number },
): Promise<DecodedText> {
  const refuse = (why: string, cause?: unknown) =>
    new ToolError('NEXUS_FILE_UNREADABLE', `${shown} can’t be read as text: ${why}.`, { cause });
  const file = await readBytes(path, maxBytes).catch((error: unknown) => {
    throw refuse(error instanceof Error ? error.message : String(error), error);
  });
  const decoded = decodedOf(file, maxBytes);
  if ('reason' in decoded) throw refuse(decoded.reason);
  return decoded;
}

/** The text, or why there is none. */
export function textOf(
  file: { readonly bytes: Buffer } | Unreadable,
  maxBytes: number,
): string | { readonly reason: string } {
  const decoded = decodedOf(file, maxBytes);
  return 'reason' in decoded ? decoded : decoded.text;
}

/** The text and how it was read, or why there is none. */
export function decodedOf(
  file: { readonly bytes: Buffer } | Unreadable,
  maxBytes: number,
): DecodedText | { readonly reason: string } {
  if (file === 'no regular file') return { reason: 'it is no regular file; name a file' };
  if ('tooLargeBytes' in file) {
    return {
      reason: `it has ${file.tooLargeBytes} bytes and the limit is ${maxBytes}; code.maxFileBytes in the config raises it`,
    };
  }
  return decodeText(file.bytes) ?? { reason: 'it is binary' };
}

/**
 * The text of a file that a search found and that may be gone by now, or another; empty then. Reads in
 * this thread: the detour over the thread pool took three times as long.
 */
export function readFound(path: string, maxBytes: number): string {
  try {
    const text = textOf(readBytesSync(path, maxBytes), maxBytes);
    return typeof text === 'string' ? text : '';
  } catch {
    return '';
  }
}
