import { statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import type { Log } from '@nexus/plugin-sdk';
import { createPause } from '../files/pause.ts';
import { listFiles } from '../ripgrep/list-files.ts';
import type { Ripgrep } from '../ripgrep/run.ts';
import { languageOf } from '../syntax/languages.ts';
import type { Parsers } from '../syntax/parsers.ts';
import { loadCache, saveCache } from './cache-file.ts';
import { FolderWatch } from './folder-watch.ts';
import { type IndexedFile, type IndexedSymbol, readIndexed } from './indexed-file.ts';
import { IGNORE_FILES, walkFolders } from './walk-folders.ts';

export interface SymbolIndexOptions {
  /** Real path. */
  readonly root: string;
  readonly ripgrep: Ripgrep;
  readonly parsers: Parsers;
  readonly cacheFile: string;
  readonly maxFiles: number;
  /** Whether the kernel's events are complete and in order, so that they can stand for a look at each file. */
  readonly watch: boolean;
  readonly log: Log;
}

/** A file as a search goes through it. */
export interface SearchedFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly symbols: readonly IndexedSymbol[];
  /** The symbols' names in lower case, in their order. */
  readonly lowerNames: readonly string[];
  /** All of them, a line each: one look tells most files apart from those with a match. */
  readonly allLowerNames: string;
}

export interface Refresh {
  readonly signal: AbortSignal;
  progress(message: string, done?: number, total?: number): void;
}

const SAVE_AFTER_MS = 5_000;
const PROGRESS_EVERY_FILES = 100;

/** The symbols of one root: read at the first use, then kept true to the files. */
export class SymbolIndex {
  readonly #options: SymbolIndexOptions;
  readonly #files = new Map<string, IndexedFile>();
  /** Derived from `#files`; absent after a change. */
  #searched: readonly SearchedFile[] | undefined;
  #listed: ReadonlySet<string> = new Set();
  /** Files to read before the next answer; true where their times can't be trusted. */
  readonly #pending = new Map<string, boolean>();
  #mustList = true;
  /** Whether each file's times must be looked at, since no events tell what changed. */
  #mustLookAtAll = true;
  #leftOut = 0;
  #watch: FolderWatch | undefined;
  #loading: Promise<void> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #saveTimer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: SymbolIndexOptions) {
    this.#options = options;
    if (options.watch) this.#watch = new FolderWatch();
  }

  /** By path, as of the last refresh. */
  get files(): readonly SearchedFile[] {
    this.#searched ??= [...this.#files]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, { symbols }]) => ({
        path,
        symbols,
        ...lowerCase(symbols),
      }));
    return this.#searched;
  }

  /** How many source files are beyond the limit and have not been read. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /**
   * Takes in every change made before the call. Callers go one after the other; one that is cancelled
   * leaves what it has read to the next.
   */
  refresh(refresh: Refresh): Promise<void> {
    const turn = this.#turn.then(() => this.#refresh(refresh));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Ends the watching and writes the cache, if it is behind. */
  async close(): Promise<void> {
    await this.#turn;
    this.#watch?.[Symbol.dispose]();
    if (this.#saveTimer) this.#save();
    await this.#saving;
  }

  async #refresh({ signal, progress }: Refresh): Promise<void> {
    signal.throwIfAborted();
    this.#loading ??= this.#load();
    await this.#loading;
    await this.#takeEvents();
    if (this.#mustList) await this.#list(signal);
    if (this.#mustLookAtAll) for (const path of this.#listed) this.#await(path, false);
    this.#mustLookAtAll = false;
    await this.#readPending({ signal, progress });
  }

  async #load(): Promise<void> {
    for (const [path, file] of await loadCache(this.#options.cacheFile)) this.#files.set(path, file);
    this.#listed = new Set(this.#files.keys());
  }

  async #takeEvents(): Promise<void> {
    const seen = await this.#watch?.take();
    if (!seen || seen.isPartial) {
      this.#mustList = true;
      this.#mustLookAtAll = true;
      return;
    }
    for (const path of seen.paths) this.#noteEvent(path);
  }

  #noteEvent(path: string): void {
    const name = relative(this.#options.root, path).split(sep).join('/');
    if (this.#listed.has(name)) this.#await(name, true);
    else if (languageOf(name) || IGNORE_FILES.has(basename(path))) this.#mustList = true;
    else if (this.#watch?.drop(path) || isFolder(path)) this.#mustList = true;
  }

  #await(path: string, distrustTimes: boolean): void {
    this.#pending.set(path, distrustTimes || (this.#pending.get(path) ?? false));
  }

  /** Watches before it lists: what is made in between is seen twice, and nothing is missed. */
  async #list(signal: AbortSignal): Promise<void> {
    const { root, ripgrep, maxFiles } = this.#options;
    await this.#watchFolders(signal);
    const all = (await listFiles(ripgrep, { cwd: root, signal })).filter((path) => languageOf(path));
    const listed = new Set(all.slice(0, maxFiles));
    this.#leftOut = all.length - listed.size;
    for (const path of this.#files.keys()) {
      if (listed.has(path)) continue;
      this.#files.delete(path);
      this.#changed();
    }
    for (const path of listed) {
      if (!this.#files.has(path) || !this.#listed.has(path)) this.#await(path, false);
    }
    this.#listed = listed;
    this.#mustList = false;
  }

  async #watchFolders(signal: AbortSignal): Promise<void> {
    const watch = this.#watch;
    if (!watch) return;
    const { root, ripgrep, log } = this.#options;
    try {
      const visit = (folder: string) => {
        signal.throwIfAborted();
        watch.add(folder);
      };
      watch.keep(await walkFolders(root, ripgrep.exclude, visit));
    } catch (error) {
      signal.throwIfAborted();
      log.warn('code: the system watches no more folders; each symbol search looks at every file instead', {
        root,
        err: error,
      });
      watch[Symbol.dispose]();
      this.#watch = undefined;
    }
  }

  async #readPending({ signal, progress }: Refresh): Promise<void> {
    const pause = createPause();
    const total = this.#pending.size;
    for (const [path, distrustTimes] of [...this.#pending]) {
      signal.throwIfAborted();
      await this.#read(path, !distrustTimes);
      const done = total - this.#pending.size;
      if (done % PROGRESS_EVERY_FILES === 0) progress('Reading symbols', done, total);
      await pause();
    }
  }

  async #read(path: string, trustTimes: boolean): Promise<void> {
    const { root, parsers, ripgrep, log } = this.#options;
    const known = this.#files.get(path);
    const options = { parsers, maxBytes: ripgrep.maxFileBytes, known, trustTimes };
    const file = await readIndexed(join(root, path), options).catch((error: unknown) => {
      // One file that a grammar can't take must not cost the symbols of all others.
      log.warn('code: a file’s symbols could not be read', { path, err: error });
      return undefined;
    });
    this.#pending.delete(path);
    if (file === known) return;
    if (file) this.#files.set(path, file);
    else this.#files.delete(path);
    this.#changed();
  }

  #changed(): void {
    this.#searched = undefined;
    this.#saveTimer ??= setTimeout(() => this.#save(), SAVE_AFTER_MS).unref();
  }

  /** One after the other: two at once would write to the same temporary file. */
  #save(): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = undefined;
    const { cacheFile, log } = this.#options;
    this.#saving = this.#saving
      .then(() => saveCache(cacheFile, this.#files))
      .catch((error: unknown) => log.warn('code: the symbol cache could not be written', { err: error }));
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function lowerCase(symbols: readonly IndexedSymbol[]) {
  const lowerNames = symbols.map(({ name }) => name.toLowerCase());
  return { lowerNames, allLowerNames: lowerNames.join('\n') };
}
