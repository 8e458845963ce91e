import type { LocalSymbol } from '../parsing/task.ts';
import type { IndexedFile } from './indexed-file.ts';

/** A file as a search goes through it. */
export interface SearchedFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly symbols: readonly LocalSymbol[];
  /** The symbols' names in lower case, a line each. */
  readonly lowerNames: string;
  readonly fault: string | undefined;
}

const known = new WeakMap<IndexedFile, SearchedFile>();

/** Made once a reading, since an edit of one file leaves the others as they are. */
export function searched(path: string, file: IndexedFile): SearchedFile {
  const before = known.get(file);
  if (before?.path === path) return before;
  const { symbols, fault } = file;
  const lowerNames = symbols.map(({ name }) => name.toLowerCase()).join('\n');
  const made = { path, symbols, lowerNames, fault };
  known.set(file, made);
  return made;
}
