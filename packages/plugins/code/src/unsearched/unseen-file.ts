import { isUtf8 } from 'node:buffer';
import { readBytes } from '@nexus/primitives';
import { PROBED_BYTES, type ReadAs, readAsOf } from '../files/decode-text.ts';

/** Why a search does not see a file. */
export type Unseen = 'too large' | ReadAs;

/**
 * One file, held to what {@link unsearched} holds all of a folder to, but for lists of ignored files.
 * @param path real
 * @returns undefined for what a search sees, and for what is no text, gone or not permitted, which no answer names
 */
export async function unseenAt(
  path: string,
  { maxFileBytes, isAscii }: { readonly maxFileBytes: number; readonly isAscii: boolean },
): Promise<Unseen | undefined> {
  const read = await readBytes(path, maxFileBytes).catch(() => 'no regular file' as const);
  if (read === 'no regular file') return undefined;
  if ('tooLargeBytes' in read) return 'too large';
  const { bytes } = read;
  if (!bytes.includes(0) && (isAscii || isUtf8(bytes))) return undefined;
  const readAs = readAsOf(bytes.subarray(0, PROBED_BYTES));
  return readAs === 'faulty UTF-8' ? undefined : readAs;
}
