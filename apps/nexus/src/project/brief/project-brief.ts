import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { fence, type Host, type Project } from '@nexus/plugin-sdk';
import { readTextInside } from '@nexus/primitives';
import { projectPath } from '../project-path.ts';
import { outlineOf } from './outline.ts';
import { testCommand } from './test-command.ts';

/** The project's own instructions to agents; the first that is there. */
export const INSTRUCTION_FILES = ['CLAUDE.md', 'AGENTS.md', '.github/copilot-instructions.md'] as const;
const README_FILES = ['README.md', 'readme.md', 'Readme.md', 'README'] as const;

const MAX_INSTRUCTIONS = 8_000;
const MAX_README = 1_500;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** A pipe in the place of a file must not hold whoever opens it. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** Folders change without their parent telling. */
const LOOKED_AT_FOR_MS = 60_000;

type Place = Pick<Host, 'projectRoot' | 'privatePaths'>;

interface Made {
  readonly stamp: string;
  readonly at: number;
  readonly text: Promise<string>;
}

/** What models are told of the project, made when first asked for. */
export function createProjectBrief(place: Place): Project {
  let made: Made | undefined;
  return {
    async brief() {
      const stamp = await stampOf(place);
      if (made?.stamp !== stamp || Date.now() - made.at > LOOKED_AT_FOR_MS) {
        made = { stamp, at: Date.now(), text: makeBrief(place) };
      }
      return made.text;
    },
    read(path) {
      const { projectRoot: folder, privatePaths: except } = place;
      return readTextInside(path, { folder, except }, MAX_FILE_BYTES);
    },
  };
}

async function makeBrief(place: Place): Promise<string> {
  const [instructions, readme, outline, tested] = await Promise.all([
    firstOf(place, INSTRUCTION_FILES, MAX_INSTRUCTIONS),
    firstOf(place, README_FILES, MAX_README),
    outlineOf(place.projectRoot),
    testCommand(place.projectRoot),
  ]);
  const { languages, places, isCut } = outline;
  const facts = [
    ...(languages.length > 0 ? [`Written in: ${languages.join(', ')}.`] : []),
    ...(tested === undefined ? [] : [`Tested by: ${tested}`]),
    ...(places.length > 0 ? [`What is in it:\n${places.join('\n')}${isCut ? '\n(and more)' : ''}`] : []),
  ];
  const parts = [
    ...(instructions === undefined ? [] : [fence(`the project's ${instructions.name}`, instructions.text)]),
    ...(readme === undefined ? [] : [fence(`the head of its ${readme.name}`, readme.text)]),
    ...(facts.length > 0 ? [fence('a look at its files', facts.join('\n'))] : []),
  ];
  if (parts.length === 0) return '';
  return ['What is known of the project that you work on.', ...parts].join('\n\n');
}

/** The head of the first of these files that is there and can be read. */
async function firstOf(
  place: Place,
  names: readonly string[],
  maxCharacters: number,
): Promise<{ readonly name: string; readonly text: string } | undefined> {
  for (const name of names) {
    const path = await projectPath(place, name).catch(() => undefined);
    const text = path === undefined ? undefined : await headOf(path, maxCharacters).catch(() => undefined);
    if (text !== undefined && text.trim() !== '') return { name, text };
  }
  return undefined;
}

async function headOf(path: string, maxCharacters: number): Promise<string> {
  await using file: FileHandle = await open(path, READ);
  const found = await file.stat();
  if (!found.isFile()) throw new Error(`${path} is no regular file`);
  const { size } = found;
  // A character has at most four bytes.
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, 4 * maxCharacters)));
  const text = buffer.subarray(0, bytesRead).toString('utf8');
  if (text.length <= maxCharacters && bytesRead === size) return text.trimEnd();
  return `${text.slice(0, maxCharacters)}\n(cut here; the file has ${size} bytes)`;
}

/** Differs as soon as one of the files that the brief is made of does. */
async function stampOf({ projectRoot }: Place): Promise<string> {
  const stamps = [...INSTRUCTION_FILES, ...README_FILES, 'package.json', '.'].map(async (name) => {
    const stats = await stat(`${projectRoot}/${name}`).catch(() => undefined);
    return stats === undefined ? '' : `${stats.ino}:${stats.size}:${stats.mtimeMs}`;
  });
  return (await Promise.all(stamps)).join(' ');
}
