import type { ReadAs } from '../files/decode-text.ts';
import type { SourceSymbol, SymbolKind } from '../syntax/symbol.ts';
import type { UsedAs } from '../syntax/used-as.ts';

/** What crosses to the worker and back. Both sides import this file and nothing else of each other. */
export type WorkerTask = ParseTask | FoldersTask;

export interface ParseTask {
  readonly kind: 'parse';
  readonly files: readonly SourceFile[];
  readonly want: Want;
  readonly maxBytes: number;
  /** Why, by content ({@link contentKey}), for those that a parser could not take. */
  readonly failed: ReadonlyMap<string, string>;
}

export interface SourceFile {
  /** Real and absolute. */
  readonly path: string;
  /** Taken for the file's content, where it was read already. */
  readonly content?: FileContent;
  /** Nothing is parsed where the content still has this hash. */
  readonly knownHash?: string | undefined;
}

export interface FileContent {
  readonly bytes: Uint8Array;
  readonly stamp: FileStamp;
}

/** What the system says of a file, to tell later whether it changed. */
export interface FileStamp {
  readonly changedAtMs: number;
  readonly size: number;
  readonly inode: number;
  readonly readAtMs: number;
}

export type Want = SymbolsWanted | UsagesWanted;

export interface SymbolsWanted {
  readonly of: 'symbols';
  /** `outside`: none that is local; `found`: as outside, and what is local without its variables. */
  readonly depth: 'outside' | 'found' | 'all';
  readonly kinds?: readonly SymbolKind[] | undefined;
}

export interface UsagesWanted {
  readonly of: 'usages';
  readonly name: string;
  /** Most references, and most mentions, given; all are counted. */
  readonly limit: number;
  /** Of a line that is shown, in characters. */
  readonly lineChars: number;
}

export interface LocalSymbol extends SourceSymbol {
  /** Declared inside a function. */
  readonly isLocal: boolean;
}

export interface Symbols {
  readonly of: 'symbols';
  /** In the text's order; the first {@link MAX_SYMBOLS}. */
  readonly symbols: readonly LocalSymbol[];
  readonly total: number;
  /** Lines at which the grammar could not go on; the first {@link MAX_FAULT_LINES}. */
  readonly faultLines: readonly number[];
}

export interface Usages {
  readonly of: 'usages';
  /** The first {@link MAX_DEFINITIONS}. */
  readonly definitions: readonly LocalSymbol[];
  readonly definitionCount: number;
  readonly references: readonly Reference[];
  readonly total: number;
  /** In comments, strings and text without a grammar. */
  readonly mentions: readonly Reference[];
  readonly mentionCount: number;
}

export interface Reference {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly as: UsedAs;
  readonly within: string | null;
}

/** More in one file is generated, and would hold every other session while it is taken over. */
export const MAX_SYMBOLS = 10_000;
export const MAX_DEFINITIONS = 100;
export const MAX_FAULT_LINES = 20;

/** One a file, in their order; fewer where the worker's turn was over before all were read. */
export type ParseAnswer = readonly Parsed[];

export type Parsed =
  | {
      readonly status: 'parsed';
      readonly found: Symbols | Usages;
      readonly hash: string;
      readonly stamp: FileStamp;
      /** Where it is not UTF-8. */
      readonly readAs: ReadAs | undefined;
    }
  /** The content has the known hash. */
  | { readonly status: 'same'; readonly stamp: FileStamp }
  /** No text to parse. */
  | { readonly status: 'unreadable'; readonly reason: string }
  /** Its parser could not take it, now or before. */
  | { readonly status: 'failed'; readonly hash: string; readonly stamp: FileStamp; readonly reason: string };

/** Folders whose entries are to be read, and what of them counts. */
export interface FoldersTask {
  readonly kind: 'folders';
  readonly root: string;
  readonly folders: readonly string[];
  /** In .gitignore syntax. */
  readonly exclude: readonly string[];
  /** More folders than that are not given. */
  readonly limit: number;
}
