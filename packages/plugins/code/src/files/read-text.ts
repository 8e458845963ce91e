import { ToolError } from '@nexus/plugin-sdk';
import { readBytes, readBytesSync, type Unreadable } from '@nexus/primitives';

/** As git and rg tell: a text has no NUL in its first part. */
const PROBED_BYTES = 8_192;

/**
 * A named file's text.
 * @param path real
 * @param shown the path as the caller knows it, for the message
 * @throws {ToolError} NEXUS_FILE_UNREADABLE when it is a folder, too large, binary, or not permitted
 */
export async function readText(
  path: string,
  { shown, maxBytes }: { shown: string; maxBytes: number },
): Promise<string> {
  const refuse = (why: string, cause?: unknown) =>
    new ToolError('NEXUS_FILE_UNREADABLE', `${shown} can’t be read as text: ${why}.`, { cause });
  const file = await readBytes(path, maxBytes).catch((error: unknown) => {
    throw refuse(error instanceof Error ? error.message : String(error), error);
  });
  const text = textOf(file, maxBytes);
  if (typeof text !== 'string') throw refuse(text.reason);
  return text;
}

/** The text, or why there is none. */
export function textOf(
  file: { readonly bytes: Buffer } | Unreadable,
  maxBytes: number,
): string | { readonly reason: string } {
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

/** UTF-8, or UTF-16 where a byte order mark says so; undefined for what is no text. */
function decodeText(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.subarray(0, PROBED_BYTES).includes(0)) return undefined;
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
