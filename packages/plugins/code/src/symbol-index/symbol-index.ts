import { lstatSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import type { Log } from '@nexus/plugin-sdk';
import { createPause } from '../files/pause.ts';
import type { SourceParsing } from '../parsing/source-parsing.ts';
import type { SymbolsWanted } from '../parsing/task.ts';
import { listFiles } from '../ripgrep/list-files.ts';
import { listMatching } from '../ripgrep/list-matching.ts';
import type { Ripgrep } from '../ripgrep/run.ts';
import { languageOf } from '../syntax/languages.ts';
import { FolderWatch } from '../watching/folder-watch.ts';
import { watchBelow } from '../watching/watch-below.ts';
import { type FileGroup, groupsOf } from './file-group.ts';
import { type IndexedFile, indexed, isUnchanged } from './indexed-file.ts';
import { type SearchedFile, searched } from './searched-file.ts';
import { SymbolCache } from './symbol-cache.ts';

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
  /** The name that is looked for: where many files are unread, those without it in their text stay so. */
  readonly name: string;
  /** Whether a file is among those that are looked through. */
  isWanted(path: string): boolean;
}

const PROGRESS_EVERY_FILES = 100;
/** The file whose change changes which files count. */
const IGNORE_FILE = '.gitignore';
/** What the symbols of all files may come to, in a gigabyte. */
const MAX_SYMBOLS = 3_000_000;
const TOO_MANY = `is beyond the ${MAX_SYMBOLS} symbols that are looked through at once; name a folder as the path`;
/** What is kept from one answer to the next, in some 150 MB; what is beyond it is read again where a name is in it. */
const MOST_KEPT_SYMBOLS = 400_000;
/** Below it there is room for a few files more, without another being forgotten for them. */
const ROOMY_SYMBOLS = 360_000;
/** So many are read faster than all files are searched for a name. */
const FEW_UNREAD = 500;
/** One answer waits no longer for files to be read; it says how many were not. */
const READ_AT_MOST_MS = 12_000;
/** So few that they take one thread, and a search that comes meanwhile waits for no more than that. */
const READ_ON_FILES = 32;
const WANTED = { of: 'symbols', depth: 'found' } satisfies SymbolsWanted;

/** The symbols of one root: read at the first use, then kept true to the files. */
export class SymbolIndex {
  readonly #options: SymbolIndexOptions;
  readonly #files = new Map<string, IndexedFile>();
  /** Derived from `#files`; behind after a change. */
  #groups: readonly FileGroup[] = [];
  #isGrouped = false;
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
  readonly #closing = new AbortController();
  #isReadingOn = false;
  readonly #cache: SymbolCache;

  constructor(options: SymbolIndexOptions) {
    this.#options = options;
    this.#cache = new SymbolCache(this.#files, options);
    if (options.watch) this.#watch = new FolderWatch();
  }

  /** By path, as of the last refresh. */
  async groups(): Promise<readonly FileGroup[]> {
    if (this.#isGrouped) return this.#groups;
    const pause = createPause();
    const version = this.#version;
    const files: SearchedFile[] = [];
    for (const path of this.#listed) {
      const file = this.#files.get(path);
      if (file) files.push(searched(path, file));
      await pause();
    }
    const made: FileGroup[] = [];
    for (const group of groupsOf(files, this.#groups)) {
      made.push(group);
      await pause();
    }
    // Another caller may have read changes between two turns.
    this.#isGrouped = version === this.#version;
    this.#groups = made;
    return made;
  }

  /** How many source files are beyond the limit and have not been read. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /**
   * Takes in every change made before the call, as far as it can matter to the name. Callers go one after the
   * other; one that is cancelled leaves what it has read to the next. What nobody waits for is read afterwards.
   * @returns how many files may declare the name and could not be read in time
   */
  refresh(refresh: Refresh): Promise<number> {
    return this.#inTurn(() => this.#refresh(refresh)).finally(() => void this.#readOn());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Ends the watching and writes the cache, if it is behind. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#turn;
    this.#watch?.[Symbol.dispose]();
    await this.#cache.close();
  }

  async #refresh(refresh: Refresh): Promise<number> {
    const { signal, progress } = refresh;
    signal.throwIfAborted();
    this.#loading ??= this.#load();
    await this.#loading;
    await this.#takeEvents();
    if (this.#mustList) await this.#list(signal);
    if (this.#mustLookAtAll) for (const path of this.#listed) this.#await(path, false);
    this.#mustLookAtAll = false;
    await this.#forgetOldest();
    const changed = await this.#changedFiles([...this.#pending], signal);
    const mayHold = await this.#mayHold(changed, refresh);
    const read = await this.#read(mayHold, {
      signal,
      progress,
      untilMs: performance.now() + READ_AT_MOST_MS,
    });
    // As they were, they are no more.
    for (const path of this.#pending.keys()) this.#drop(path);
    return mayHold.length - read;
  }

  /** Of unread files, those that the name may be declared in: each stands in a file's text as it is declared. */
  async #mayHold(paths: string[], { name, isWanted, signal, progress }: Refresh): Promise<string[]> {
    const areFew = (some: string[]) => some.length <= FEW_UNREAD && this.#symbolCount < ROOMY_SYMBOLS;
    if (areFew(paths)) return paths;
    const wanted = paths.filter(isWanted);
    // Other characters have more cases than two, and other spellings.
    if (wanted.length === 0 || areFew(wanted) || !/^[ -~]+$/.test(name)) return wanted;
    progress(`Looking for ${name} in files that are not read yet`);
    const { root, ripgrep } = this.#options;
    const holding = await listMatching(ripgrep, { text: name, cwd: root, anyCase: true, signal });
    const isHolding = new Set(holding);
    return wanted.filter((path) => isHolding.has(path));
  }

  /** What answers had no need of so far, so that the next ones find it read. */
  async #readOn(): Promise<void> {
    const { signal } = this.#closing;
    if (this.#isReadingOn) return;
    this.#isReadingOn = true;
    try {
      while (!signal.aborted && this.#pending.size > 0 && this.#symbolCount < MOST_KEPT_SYMBOLS) {
        await this.#inTurn(async () => {
          const some = await this.#changedFiles(firstOf(this.#pending, READ_ON_FILES), signal);
          await this.#read(some, { signal, progress: () => {}, untilMs: Number.POSITIVE_INFINITY });
        });
      }
    } catch (error) {
      if (!signal.aborted) this.#options.log.warn('code: files were not read ahead', { err: error });
    } finally {
      this.#isReadingOn = false;
    }
  }

  /** What was read first is forgotten first, until what is kept fits. */
  async #forgetOldest(): Promise<void> {
    const pause = createPause();
    for (const path of this.#files.keys()) {
      if (this.#symbolCount <= MOST_KEPT_SYMBOLS) return;
      this.#drop(path);
      this.#await(path, false);
      await pause();
    }
  }

  async #load(): Promise<void> {
    await this.#cache.load(MOST_KEPT_SYMBOLS);
    for (const { symbols } of this.#files.values()) this.#symbolCount += symbols.length;
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
    const { root, log } = this.#options;
    try {
      watch.keep(await watchBelow(watch, this.#options, signal));
    } catch (error) {
      signal.throwIfAborted();
      log.warn('code: not every folder can be watched; each symbol search looks at every file instead', {
        root,
        err: error,
      });
      watch[Symbol.dispose]();
      this.#watch = undefined;
    }
  }

  /** @returns how many were read, in their order */
  async #read(
    paths: readonly string[],
    { signal, progress, untilMs }: Pick<Refresh, 'signal' | 'progress'> & { readonly untilMs: number },
  ): Promise<number> {
    const { root, parsing } = this.#options;
    const files = paths.map((path) => ({ path: join(root, path), knownHash: this.#files.get(path)?.hash }));
    const pause = createPause();
    let done = 0;
    for await (const parsed of parsing.parse(files, { want: () => WANTED, signal })) {
      for (const each of parsed) {
        const path = paths[done] ?? '';
        this.#keep(path, indexed(each, this.#files.get(path)));
        done += 1;
        if (done % PROGRESS_EVERY_FILES === 0) progress('Reading symbols', done, files.length);
      }
      if (performance.now() > untilMs) break;
      await pause();
    }
    return done;
  }

  /** Of the pending files, those whose times don't show that they are as they were. */
  async #changedFiles(
    pending: readonly (readonly [path: string, distrustTimes: boolean])[],
    signal: AbortSignal,
  ): Promise<string[]> {
    const pause = createPause();
    const changed: string[] = [];
    for (const [path, distrustTimes] of pending) {
      signal.throwIfAborted();
      const known = this.#files.get(path);
      if (known && !distrustTimes && isUnchanged(join(this.#options.root, path), known)) {
        this.#pending.delete(path);
      } else changed.push(path);
      await pause();
    }
    return changed;
  }

  /** As though it had never been read. */
  #drop(path: string): void {
    const known = this.#files.get(path);
    if (!known) return;
    this.#symbolCount -= known.symbols.length;
    this.#files.delete(path);
    this.#changed();
  }

  #keep(path: string, file: IndexedFile | undefined): void {
    this.#pending.delete(path);
    this.#drop(path);
    if (file) {
      const isTooMany = this.#symbolCount + file.symbols.length > MAX_SYMBOLS;
      const kept = isTooMany ? { ...file, symbols: [], fault: TOO_MANY } : file;
      this.#symbolCount += kept.symbols.length;
      this.#files.set(path, kept);
    }
    this.#changed();
    this.#cache.note(path);
  }

  #changed(): void {
    this.#isGrouped = false;
    this.#version += 1;
  }
}

function firstOf<T>(all: Iterable<T>, most: number): T[] {
  const first: T[] = [];
  for (const each of all) if (first.push(each) >= most) break;
  return first;
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}
