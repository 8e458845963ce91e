import { ToolError } from '@nexus/plugin-sdk';
import { parsePatch, type StructuredPatch } from 'diff';

export interface DiffLine {
  /** `both`: unchanged; `new`: added; `old`: taken away. */
  readonly side: 'both' | 'new' | 'old';
  readonly text: string;
  /** Its number in the file as it becomes; absent for a line that was taken away. */
  readonly line?: number;
  /** Its number in the file as it was; absent for an added line. */
  readonly oldLine?: number;
}

export interface DiffFile {
  /** As it is called after the change; of a deleted file, before. */
  readonly path: string;
  /** Where it was called otherwise before. */
  readonly oldPath?: string;
  readonly isDeleted: boolean;
  readonly isBinary: boolean;
  readonly hunks: readonly (readonly DiffLine[])[];
}

/** As many as GitHub shows of a pull request. */
const MAX_FILES = 3_000;

/** @throws {ToolError} NEXUS_INVALID_ARGUMENTS for what is no unified diff, with the parser's own words, or is too much */
export function parseDiff(text: string): readonly DiffFile[] {
  const files = readPatches(text).flatMap((patch) => toFile(patch) ?? []);
  if (files.length > MAX_FILES) {
    const words = `prDiff names ${files.length} files, and at most ${MAX_FILES} are reviewed at once. Give the parts that matter.`;
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', words);
  }
  if (files.length > 0) return files;
  throw new ToolError(
    'NEXUS_INVALID_ARGUMENTS',
    'prDiff names no file: give a unified diff, as `git diff` and GitHub’s .diff print it.',
  );
}

function readPatches(text: string): readonly StructuredPatch[] {
  try {
    return parsePatch(text);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new ToolError(
      'NEXUS_INVALID_ARGUMENTS',
      `prDiff is no whole unified diff: ${words.slice(0, 300)}. Give it as \`git diff\` prints it, uncut.`,
    );
  }
}

const NOTHING = '/dev/null';

function toFile({ oldFileName, newFileName, isBinary, hunks }: StructuredPatch): DiffFile | undefined {
  if (oldFileName === undefined || newFileName === undefined) return undefined;
  const [before, after] = withoutPrefixes(oldFileName, newFileName);
  const isDeleted = after === NOTHING;
  const path = isDeleted ? before : after;
  return {
    path,
    ...(before === path || before === NOTHING ? {} : { oldPath: before }),
    isDeleted,
    isBinary: isBinary === true,
    hunks: hunks.map(toLines),
  };
}

/** Git's `a/` and `b/`, where both have them; `--no-prefix` leaves them out. */
function withoutPrefixes(before: string, after: string): [string, string] {
  const has = (name: string, prefix: string) => name === NOTHING || name.startsWith(prefix);
  if (!has(before, 'a/') || !has(after, 'b/')) return [before, after];
  const cut = (name: string) => (name === NOTHING ? name : name.slice(2));
  return [cut(before), cut(after)];
}

function toLines({ oldStart, newStart, lines }: StructuredPatch['hunks'][number]): DiffLine[] {
  let oldLine = oldStart;
  let line = newStart;
  return lines.flatMap((raw): DiffLine[] => {
    const text = raw.slice(1).replace(/\r$/, '');
    switch (raw[0]) {
      case '+':
        return [{ side: 'new', text, line: line++ }];
      case '-':
        return [{ side: 'old', text, oldLine: oldLine++ }];
      case '\\':
        // "No newline at end of file" is no line.
        return [];
      default:
        return [{ side: 'both', text, line: line++, oldLine: oldLine++ }];
    }
  });
}

/** Lines that were added or taken away. */
export function changedLines({ hunks }: DiffFile): number {
  return hunks.flat().filter(({ side }) => side !== 'both').length;
}
