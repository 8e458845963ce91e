import { readFile, realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { mergedLines } from '@nexus/plugin-sdk';
import { findWords, type Lines, type SaidPlace } from '@nexus/plugin-sdk/evidence';
import { cutEndCounted, isInside, isOfGit } from '@nexus/primitives';
import { claimsIn } from './claims.ts';

/** A claim, and whether it holds; `line` is where it really stands. */
export interface Evidence extends SaidPlace {
  readonly isVerified: boolean;
  readonly fault?: string;
}

/** What an answer ends with, looked up. */
export interface Ground {
  readonly shown: readonly Evidence[];
  readonly against: readonly Evidence[];
  /** The parts of files in which the places that hold stand, with numbered lines around them. */
  readonly sections: readonly Section[];
  /** What was not looked up or is not shown, each as a sentence; absent where nothing is. */
  readonly leftOut?: readonly string[];
}

export interface Section {
  readonly file: string;
  readonly lines: Lines;
  /** Each line after its number and a tab. */
  readonly text: string;
}

interface Project {
  readonly root: string;
  readonly privatePaths: readonly string[];
}

const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Lines on each side of a place that whoever judges sees. */
const AROUND_LINES = 25;
const MAX_SECTIONS = 20;
const MAX_SECTION_CHARS = 12_000;

/** Looks up what an answer says that files hold, for and against, and what stands around it. */
export async function groundIn({
  output,
  ...project
}: Project & { readonly output: string }): Promise<Ground> {
  const { shown, against, leftOut } = claimsIn(output);
  const looked = await Promise.all([...shown, ...against].map((claim) => lookUp(claim, project)));
  const evidence = looked.map(({ found: _, text: __, ...each }) => each);
  const sections = sectionsOf(looked);
  const notes = [
    ...leftOut,
    ...(sections.length > MAX_SECTIONS
      ? [
          `Around the places there are ${sections.length} parts of files, and the first ${MAX_SECTIONS} are shown.`,
        ]
      : []),
  ];
  return {
    shown: evidence.slice(0, shown.length),
    against: evidence.slice(shown.length),
    sections: sections.slice(0, MAX_SECTIONS),
    ...(notes.length > 0 ? { leftOut: notes } : {}),
  };
}

interface LookedUp extends Evidence {
  readonly found?: Lines;
  /** Of the whole file. */
  readonly text?: string;
}

async function lookUp(claim: SaidPlace, { root, privatePaths }: Project): Promise<LookedUp> {
  const failed = (fault: string) => ({ ...claim, isVerified: false, fault });
  const file = await realpath(resolve(root, claim.file)).catch(() => undefined);
  if (file === undefined) return failed('there is no such file');
  if (
    !isInside({ path: file, folder: root }) ||
    privatePaths.some((path) => isInside({ path: file, folder: path }))
  ) {
    return failed('it lies outside the project');
  }
  if (isOfGit({ path: file, folder: root })) return failed('it is git’s own, which nobody reads');
  const stats = await stat(file);
  if (!stats.isFile() || stats.size > MAX_FILE_BYTES) return failed('it is no file that can be looked up');
  const text = await readFile(file, 'utf8');
  const found = findWords(text, claim.quote, claim.line);
  if (!found) return failed('this text does not stand in the file');
  return { ...claim, line: found.from, isVerified: true, found, text };
}

/** Those of one file that meet are one. */
function sectionsOf(looked: readonly LookedUp[]): Section[] {
  const there = looked.flatMap(({ file, found, text }) =>
    found && text !== undefined ? [{ file, text, ...found }] : [],
  );
  const texts = new Map(there.map(({ file, text }) => [file, text]));
  const around = there.map(({ file, from, to }) => ({
    file,
    from: Math.max(1, from - AROUND_LINES),
    to: to + AROUND_LINES,
  }));
  return mergedLines(around).map(({ file, from, to }) => {
    const lines = (texts.get(file) ?? '').split('\n').slice(from - 1, to);
    const numbered = lines.map((line, index) => `${from + index}\t${line}`).join('\n');
    return {
      file,
      lines: { from, to: from + lines.length - 1 },
      text: cutEndCounted(numbered, MAX_SECTION_CHARS),
    };
  });
}
