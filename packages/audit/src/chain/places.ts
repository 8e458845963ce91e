import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLocked, LocksUnsupportedError } from '@nexus/locks';

/** A folder a writer, under this one of the trail. */
export const WRITERS = 'writers';
/** Locked for as long as its writer lives. */
export const LOCK = 'lock';
/** There once the writer has ended and what it left open is told of. */
export const CLOSED = 'closed';
/** Says under the key that the writer was begun by who has that. */
export const BEGIN_NOTE = 'begin.note';
/** What opens commitments; see Opening. */
export const OPENINGS = 'openings.jsonl';
const SEGMENT = /^\d{6}\.jsonl$/;

export function segmentName(number: number): string {
  return `${String(number).padStart(6, '0')}.jsonl`;
}

/** The files of a writer's chain, in its order. */
export function segmentsOf(folder: string): string[] {
  return listed(folder)
    .filter((name) => SEGMENT.test(name))
    .sort()
    .map((name) => join(folder, name))
    .filter(isFile);
}

/** The folders of all writers of a trail, by name. */
export function writersOf(trail: string): { readonly id: string; readonly folder: string }[] {
  return listed(join(trail, WRITERS))
    .sort()
    .map((id) => ({ id, folder: join(trail, WRITERS, id) }));
}

/** Nothing else is read: a pipe would be waited on for good. */
export function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

/** The note that says that a folder's writer was begun; undefined where there is none. */
export function beginNoteOf(folder: string): string | undefined {
  const file = join(folder, BEGIN_NOTE);
  return isFile(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Whether the writer of a folder lives; where the platform can't tell, it may. */
export async function isAlive(folder: string): Promise<boolean> {
  try {
    return await isLocked(join(folder, LOCK));
  } catch (error) {
    if (error instanceof LocksUnsupportedError) return true;
    throw error;
  }
}
