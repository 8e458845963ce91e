import { lstatSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import type { Log } from '@nexus/plugin-sdk';
import { createPause } from '../files/pause.ts';
import type { SourceParsing } from '../parsing/source-parsing.ts';
import type { SymbolsWanted } from '../parsing/task.ts';
import { listFiles } from '../ripgrep/list-files.ts';
import type { Ripgrep } from '../ripgrep/run.ts';
import { languageOf } from '../syntax/languages.ts';
import { addToCache, type Changes, dropLeftovers, loadCache, saveCache } from './cache-file.ts';
import { FolderWatch } from './folder-watch.ts';
import { type IndexedFile, indexed, isUnchanged } from './indexed-file.ts';
import { type SearchedFile, searched } from './searched-file.ts';

export interface SymbolIndexOptions {
  /** Real path. */
  readonly root: string;
  readonly ripgrep: Ripgrep;
  readonly parsing: SourceParsing;
  readonly cacheFile: string;
  readonly maxFiles: number;
  /** Whether the kernel's events are complete and in order, so that they can stand for a look at each file. */
  readonly watch: boolean;
  readonly log: Log;
}

export interface Refresh {
  readonly signal: AbortSignal;
  progress(message: string, done?: number, total?: number): void;
}

const SAVE_AFTER_MS = 5_000;
/** Lines of the cache that count no more, until it is written anew: as many as there are files, and so many. */
const MOST_IDLE_LINES = 10_000;
const PROGRESS_EVERY_FILES = 100;
/** The file whose change changes which files count. */
const IGNORE_FILE = '.gitignore';
/** Each costs the kernel and this process a kilobyte, and one step through them a microsecond at each listing. */
const MAX_WATCHED_FOLDERS = 20_000;
/** What the symbols of all files may come to, in a gigabyte. */
const MAX_SYMBOLS = 3_000_000;
const WANTED = { of: 'symbols', depth: 'found' } satisfies SymbolsWanted;

/** The symbols of one root: read at the first use, then kept true to the files. */
export class SymbolIndex {
  readonly #options: SymbolIndexOptions;
  readonly #files = new Map<string, IndexedFile>();
  /** Derived from `#files`; absent after a change. */
  #searched: readonly SearchedFile[] | undefined;
  #version = 0;
  #listed: ReadonlySet<string> = new Set();
  /** Files to read before the next answer; true where their times can't be trusted. */
  readonly #pending = new Map<string, boolean>();
  #mustList = true;
  /** Whether each file's times must be looked at, since no events tell what changed. */
  #mustLookAtAll = true;
  #leftOut = 0;
  #symbolCount = 0;
  #watch: FolderWatch | undefined;
  #loading: Promise<void> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #saveTimer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  /** Paths whose last change is not in the cache. */
  #unsaved = new Set<string>();
  #cacheLines = 0;

  constructor(options: SymbolIndexOptions) {
    this.#options = options;
    if (options.watch) this.#watch = new FolderWatch();
  }

  /** By path, as of the last refresh. */
  async files(): Promise<readonly SearchedFile[]> {
    if (this.#searched) return this.#searched;
    const pause = createPause();
    const version = this.#version;
    const made: SearchedFile[] = [];
    for (const path of this.#listed) {
      const file = this.#files.get(path);
      if (file) made.push(searched(path, file));
      await pause();
    }
    // Another caller may have read changes between two turns.
    if (version === this.#version) this.#searched = made;
    return made;
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
    await dropLeftovers(this.#options.cacheFile);
    const { files, lines } = await loadCache(this.#options.cacheFile);
    this.#cacheLines = lines;
    for (const [path, file] of files) {
      this.#files.set(path, file);
      this.#symbolCount += file.symbols.length;
    }
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
    else if (languageOf(name) || basename(path) === IGNORE_FILE) this.#mustList = true;
    else if (this.#watch?.drop(path) || isFolder(path)) this.#mustList = true;
  }

  #await(path: string, distrustTimes: boolean): void {
    this.#pending.set(path, distrustTimes || (this.#pending.get(path) ?? false));
  }

  /** Watches before it lists: what is made in between is seen twice, and nothing is missed. */
  async #list(signal: AbortSignal): Promise<void> {
    const { root, ripgrep, maxFiles } = this.#options;
    await this.#watchFolders(signal);
    const { files } = await listFiles(ripgrep, { cwd: root, signal });
    const all = files.filter((path) => languageOf(path));
    const listed = new Set(all.slice(0, maxFiles));
    this.#leftOut = all.length - listed.size;
    for (const path of this.#files.keys()) if (!listed.has(path)) this.#keep(path, undefined);
    for (const path of listed) {
      if (!this.#files.has(path) || !this.#listed.has(path)) this.#await(path, false);
    }
    this.#listed = listed;
    this.#changed();
    this.#mustList = false;
  }

  async #watchFolders(signal: AbortSignal): Promise<void> {
    const watch = this.#watch;
    if (!watch) return;
    try {
      watch.keep(await this.#watchLevels(watch, signal));
    } catch (error) {
      signal.throwIfAborted();
      const { root, log } = this.#options;
      log.warn('code: not every folder can be watched; each symbol search looks at every file instead', {
        root,
        err: error,
      });
      watch[Symbol.dispose]();
      this.#watch = undefined;
    }
  }

  /** From the root down, each folder before its entries are read: what is made meanwhile is not missed. */
  async #watchLevels(watch: FolderWatch, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { root, ripgrep, parsing } = this.#options;
    const pause = createPause();
    const watched = new Set<string>();
    for (let level: readonly string[] = [root]; level.length > 0; ) {
      for (const folder of level) {
        watch.add(folder);
        watched.add(folder);
        await pause();
      }
      const limit = MAX_WATCHED_FOLDERS - watched.size;
      const inside = await parsing.folders({ root, folders: level, exclude: ripgrep.exclude, limit }, signal);
      if (!inside) throw new Error('their entries could not be read in time');
      if (inside.length > limit) throw new Error(`there are more than ${MAX_WATCHED_FOLDERS}`);
      level = inside;
    }
    return watched;
  }

  async #readPending({ signal, progress }: Refresh): Promise<void> {
    const { root, parsing } = this.#options;
    const changed = await this.#changedFiles(signal);
    const files = changed.map((path) => ({ path: join(root, path), knownHash: this.#files.get(path)?.hash }));
    const pause = createPause();
    let done = 0;
    for await (const parsed of parsing.parse(files, { want: () => WANTED, signal })) {
      for (const each of parsed) {
        const path = changed[done] ?? '';
        this.#keep(path, indexed(each, this.#files.get(path)));
        done += 1;
        if (done % PROGRESS_EVERY_FILES === 0) progress('Reading symbols', done, files.length);
      }
      await pause();
    }
  }

  /** Of the pending files, those whose times don't show that they are as they were. */
  async #changedFiles(signal: AbortSignal): Promise<string[]> {
    const pause = createPause();
    const changed: string[] = [];
    for (const [path, distrustTimes] of this.#pending) {
      signal.throwIfAborted();
      const known = this.#files.get(path);
      if (known && !distrustTimes && isUnchanged(join(this.#options.root, path), known)) {
        this.#pending.delete(path);
      } else changed.push(path);
      await pause();
    }
    return changed;
  }

  #keep(path: string, file: IndexedFile | undefined): void {
    this.#pending.delete(path);
    this.#symbolCount -= this.#files.get(path)?.symbols.length ?? 0;
    if (!file) this.#files.delete(path);
    else {
      const isTooMany = this.#symbolCount + file.symbols.length > MAX_SYMBOLS;
      const kept = isTooMany ? { ...file, symbols: [], fault: `is beyond ${MAX_SYMBOLS} symbols` } : file;
      this.#symbolCount += kept.symbols.length;
      this.#files.set(path, kept);
    }
    this.#changed();
    this.#unsaved.add(path);
    this.#saveTimer ??= setTimeout(() => this.#save(), SAVE_AFTER_MS).unref();
  }

  #changed(): void {
    this.#searched = undefined;
    this.#version += 1;
  }

  /** One after the other: two at once would write to the same file. */
  #save(): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = undefined;
    const { cacheFile, log } = this.#options;
    this.#saving = this.#saving
      .then(() => this.#write(cacheFile))
      .catch((error: unknown) => log.warn('code: the symbol cache could not be written', { err: error }));
  }

  async #write(cacheFile: string): Promise<void> {
    const paths = this.#unsaved;
    this.#unsaved = new Set();
    try {
      const isIdle = this.#cacheLines + paths.size > 2 * this.#files.size + MOST_IDLE_LINES;
      const added = isIdle ? undefined : await addToCache(cacheFile, this.#changesOf(paths));
      if (added === undefined) this.#cacheLines = await saveCache(cacheFile, this.#files);
      else this.#cacheLines += added;
    } catch (error) {
      for (const path of paths) this.#unsaved.add(path);
      throw error;
    }
  }

  *#changesOf(paths: Iterable<string>): Changes {
    for (const path of paths) yield [path, this.#files.get(path)];
  }
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}
