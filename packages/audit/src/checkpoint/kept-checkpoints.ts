import { linkSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFile } from '../chain/places.ts';
import { parseNote, type SignedNote } from './signed-note.ts';

const FOLDER = 'checkpoints';
const NOTE = /^\d{8}\.note$/;

/** The notes of a trail's checkpoints with their files, the oldest first. */
export function keptCheckpoints(trail: string): { readonly file: string; readonly note: string }[] {
  return checkpointFiles(trail).map((file) => ({ file, note: readFileSync(file, 'utf8') }));
}

/** @throws {Error} EEXIST where another process took the checkpoint of that number meanwhile */
export function keepCheckpoint(trail: string, number: number, note: string): void {
  const folder = join(trail, FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${String(number).padStart(8, '0')}.note`);
  const written = `${file}.${crypto.randomUUID()}`;
  writeFileSync(written, note, { mode: 0o600 });
  try {
    linkSync(written, file);
  } finally {
    unlinkSync(written);
  }
}

/** By whom the newest checkpoint says that it is signed; nobody where there is none, or it is no note. */
export function signedBefore(trail: string): SignedNote['signatures'] {
  const newest = checkpointFiles(trail).at(-1);
  if (newest === undefined) return [];
  try {
    return parseNote(readFileSync(newest, 'utf8')).signatures;
  } catch {
    // A verification tells what is wrong with it.
    return [];
  }
}

/** The files of a trail's checkpoints, the oldest first. */
export function checkpointFiles(trail: string): string[] {
  const folder = join(trail, FOLDER);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return names
    .filter((name) => NOTE.test(name))
    .sort()
    .map((name) => join(folder, name))
    .filter(isFile);
}
