import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { ToolError } from '@nexus/plugin-sdk';

/** As git and rg tell: a text has no NUL in its first part. */
const PROBED_BYTES = 8_192;

/**
 * A named file's text.
 * @param shown the path as the caller knows it, for the message
 * @throws {ToolError} NEXUS_FILE_UNREADABLE when it is a folder, too large, binary, or not permitted
 */
export async function readText(
  path: string,
  { shown, maxBytes }: { shown: string; maxBytes: number },
): Promise<string> {
  const refuse = (why: string, cause?: unknown) =>
    new ToolError('NEXUS_FILE_UNREADABLE', `${shown} can’t be read as text: ${why}.`, { cause });
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw refuse('it is no regular file; name a file');
    if (stats.size > maxBytes) {
      throw refuse(
        `it has ${stats.size} bytes and the limit is ${maxBytes}; code.maxFileBytes in the config raises it`,
      );
    }
    const text = decodeText(await readFile(path));
    if (text === undefined) throw refuse('it is binary');
    return text;
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw refuse(error instanceof Error ? error.message : String(error), error);
  }
}

/**
 * The text of a file that a search found and that may be gone by now; empty then. Reads in this thread:
 * the detour over the thread pool took three times as long.
 */
export function readFound(path: string): string {
  try {
    return decodeText(readFileSync(path)) ?? '';
  } catch {
    return '';
  }
}

/** UTF-8, or UTF-16 where a byte order mark says so; undefined for what is no text. */
export function decodeText(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.subarray(0, PROBED_BYTES).includes(0)) return undefined;
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
