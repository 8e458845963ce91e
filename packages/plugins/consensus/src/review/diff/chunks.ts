import { cutEndCounted } from '@nexus/primitives';
import { depth, type Level, type Risk } from '../risk/risk.ts';
import type { DiffFile, DiffLine } from './parse-diff.ts';

/** What a reviewer reads at once: enough to see a change whole, little enough to be read with care. */
const MAX_CHUNK_CHARS = 60_000;
/** Longer ones are data, not code. */
const MAX_LINE_CHARS = 2_000;

export interface Chunk {
  readonly level: Level;
  readonly files: readonly string[];
  /** The hunks with numbers and marks. */
  readonly text: string;
}

/** The files in pieces to be read, each of files of one level; a large file by hunks, a large hunk by lines. */
export function chunksOf(files: readonly (DiffFile & { readonly risk: Risk })[]): Chunk[] {
  const levels = Object.keys(depth) as Level[];
  return levels.flatMap((level) =>
    packed(
      level,
      files.filter(({ risk }) => risk.level === level),
    ),
  );
}

function packed(level: Level, files: readonly DiffFile[]): Chunk[] {
  const chunks: Chunk[] = [];
  let open: { files: string[]; text: string } = { files: [], text: '' };
  const close = () => {
    if (open.text !== '') chunks.push({ level, ...open });
    open = { files: [], text: '' };
  };
  for (const file of files) {
    for (const piece of piecesOf(file)) {
      if (open.text.length + piece.length > MAX_CHUNK_CHARS) close();
      const isNew = !open.files.includes(file.path);
      open = {
        files: isNew ? [...open.files, file.path] : open.files,
        text: `${open.text}${isNew ? `${headOf(file)}\n` : ''}${piece}\n`,
      };
    }
  }
  close();
  return chunks;
}

function headOf({ path, oldPath, isDeleted }: DiffFile): string {
  const was = oldPath === undefined ? '' : ` (was ${oldPath})`;
  return `=== ${path}${was}${isDeleted ? ' (deleted)' : ''}`;
}

/** Hunks, and of those that are too long their parts. */
function piecesOf({ hunks }: DiffFile): string[] {
  return hunks.flatMap((hunk) => {
    const pieces: string[] = [];
    let open = '@@';
    for (const line of hunk.map(shownLine)) {
      if (open.length + line.length > MAX_CHUNK_CHARS / 2) {
        pieces.push(open);
        open = '@@';
      }
      open += `\n${line}`;
    }
    return [...pieces, open];
  });
}

/** Its number and what became of it; of a line that was taken away, its old number. */
export function shownLine({ side, text, line, oldLine }: DiffLine): string {
  const mark = side === 'new' ? '+' : side === 'old' ? '-' : ' ';
  return `${String(line ?? oldLine).padStart(5)} ${mark} ${cutEndCounted(text, MAX_LINE_CHARS)}`;
}
