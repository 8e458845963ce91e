import { createHash } from 'node:crypto';
import { type Assignment, fence, namesIn, type Reference, type RunContext } from '@nexus/plugin-sdk';

/** A file of the project as it stands when the turn begins; plain JSON. */
export interface ShownFile {
  readonly path: string;
  readonly text: string;
}

/** Who is given more reads those that matter. */
const MAX_FILES = 4;
/** Of all together: what is more is read by whoever needs it, part by part. */
const MAX_CHARS = 60_000;
const DIGEST_CHARS = 16;

/**
 * The files that an assignment names, so that its expert need not ask for each: those of the task itself, or else of
 * the facts and of what others found. None where it names many, or where they are more than a prompt holds well.
 */
export function shownFiles(assignment: Assignment, run: RunContext): Promise<ShownFile[]> {
  return run.step(
    'files it is about',
    async () => {
      const paths = pathsIn(assignment);
      if (paths.length > MAX_FILES) return [];
      const read = await Promise.all(
        paths.map(async (path) => ({ path, text: await run.host.project.read(path) })),
      );
      const files = read.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
      return files.reduce((all, { text }) => all + text.length, 0) > MAX_CHARS ? [] : files;
    },
    { title: 'reads what it is about' },
  );
}

function pathsIn({ task, context = {}, earlier = [] }: Assignment): string[] {
  const named = filesIn(task);
  if (named.length > 0) return named;
  const facts = Object.values(context).filter((value) => typeof value === 'string');
  return filesIn([...facts, ...earlier.map(({ text }) => text)].join('\n\n'));
}

function filesIn(text: string): string[] {
  const files = namesIn(text).flatMap(({ kind, name }) =>
    kind === 'file' ? [name.replace(/^\.\//, '')] : [],
  );
  return [...new Set(files)].filter((path) => !MAY_BE_SECRET.test(path));
}

/** Such a file is read by whoever asks for it, and shown to nobody because a text names it. */
const MAY_BE_SECRET = /(?:^|\/)\.|\.env$/i;

export function shownText({ path, text }: ShownFile): string {
  const lines = text.replace(/\n$/, '').split('\n');
  return fence(`${path}, whole, as it stands`, lines.map((line, at) => `${at + 1}\t${line}`).join('\n'));
}

/** It was read, as if the expert had asked for it. */
export function shownReference({ path, text }: ShownFile): Reference {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, DIGEST_CHARS);
  return { tool: 'read_file', arguments: { path }, path, digest, isError: false };
}
