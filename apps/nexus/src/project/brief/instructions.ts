import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Host, namedFile } from '@nexus/plugin-sdk';
import { cutEnd } from '@nexus/primitives';
import { projectPath } from '../project-path.ts';

/** The project's own instructions to agents; the first that is there. */
export const INSTRUCTION_FILES = ['CLAUDE.md', 'AGENTS.md', '.github/copilot-instructions.md'] as const;

const MAX_INSTRUCTIONS = 8_000;
/** A pipe in the place of a file must not hold whoever opens it. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export type Place = Pick<Host, 'projectRoot' | 'privatePaths'>;

/** The head of a file of the project. */
export interface Head {
  /** From the project's root, with `/`. */
  readonly name: string;
  readonly text: string;
}

/** What the project tells whoever works on it, as models get it; undefined where it tells nothing. */
export function instructionsOf(place: Place): Promise<Head | undefined> {
  return firstOf(place, INSTRUCTION_FILES, { maxCharacters: MAX_INSTRUCTIONS });
}

export interface HeadRequest {
  readonly maxCharacters: number;
  /** What of the text is told; by default all of it. */
  readonly told?: (text: string) => string;
}

/** The head of the first of these files that is there and can be read. */
export async function firstOf(
  place: Place,
  names: readonly string[],
  request: HeadRequest,
): Promise<Head | undefined> {
  for (const name of names) {
    const path = await toBeTold(place, name).catch(() => undefined);
    const text = path === undefined ? undefined : await headOf(path, request).catch(() => undefined);
    if (text !== undefined && text.trim() !== '') return { name, text };
  }
  return undefined;
}

/** Where it really lies; undefined where a link of that name leads to what is shown to nobody because a text names it. */
async function toBeTold(place: Place, name: string): Promise<string | undefined> {
  const path = await projectPath(place, name);
  if (path === undefined || path === join(await realpath(place.projectRoot), name)) return path;
  return (await namedFile(name, place)) === undefined ? undefined : path;
}

/** What is not told of a head may be longer than what is. */
const READ_AHEAD = 8;

async function headOf(path: string, { maxCharacters, told = (text) => text }: HeadRequest): Promise<string> {
  await using file: FileHandle = await open(path, READ);
  const found = await file.stat();
  if (!found.isFile()) throw new Error(`${path} is no regular file`);
  const { size } = found;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, READ_AHEAD * maxCharacters)));
  const text = told(buffer.subarray(0, bytesRead).toString('utf8'));
  if (text.length <= maxCharacters && bytesRead === size) return text.trimEnd();
  return `${cutEnd(text, maxCharacters)}\n(cut here; the file has ${size} bytes)`;
}
