import { lstatSync } from 'node:fs';
import { basename, relative, sep } from 'node:path';
import { isInside } from '@nexus/primitives';
import type { SourceParsing } from '../parsing/source-parsing.ts';
import { ignoreListsAbove, statOf } from '../ripgrep/ignore-files.ts';
import type { Ripgrep } from '../ripgrep/run.ts';
import { FolderWatch, type Seen } from '../watching/folder-watch.ts';
import { watchBelow } from '../watching/watch-below.ts';
import { type Foreign, type Unsearched, unsearched } from './unsearched.ts';
import { type Unseen, unseenAt } from './unseen-file.ts';

export interface UnsearchedFolderOptions {
  /** Real path. */
  readonly folder: string;
  readonly isAscii: boolean;
  readonly ripgrep: Ripgrep;
  readonly parsing: SourceParsing;
  /** Whether the kernel's events are complete and in order. */
  readonly watch: boolean;
}

/** More changes at once than this are taken in faster by going through the folder. */
const FEW_CHANGED = 200;
/**
 * How long events are relied upon without a look at all: none tells of lists of ignored files that lie in a nested
 * repository's .git or in its user's home, nor of what is written by way of another name or a mapping.
 */
const TRUSTED_MS = 60_000;
/** Names of what says which files are ignored, or begins a repository. */
const DECIDING: ReadonlySet<string> = new Set(['.gitignore', '.git']);

/**
 * What searches of one folder do not see. To find it is to go through the folder three times; so it is found once where
 * a folder is searched again and again, and then kept true by the kernel's events.
 */
export class UnsearchedFolder {
  readonly #options: UnsearchedFolderOptions;
  /** By path relative to the folder; absent before the first look, and when it must be made anew. */
  #known: Map<string, Unseen> | undefined;
  /** Of these, as they were when it was found. */
  #lists = '';
  #foundAtMs = 0;
  /** Changed files that are to be named unless they are ignored. */
  readonly #asked = new Set<string>();
  /** Those that are: what becomes of them changes nothing. */
  readonly #ignored = new Set<string>();
  #watch: FolderWatch | undefined;
  /** Until then each search goes through the folder. */
  #unwatchedUntilMs: number;
  #calls = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: UnsearchedFolderOptions) {
    this.#options = options;
    this.#unwatchedUntilMs = options.watch ? 0 : Number.POSITIVE_INFINITY;
  }

  /** As of the call. Callers go one after the other. */
  find(signal: AbortSignal): Promise<Unsearched> {
    this.#calls += 1;
    // Many folders are searched once; to watch them would cost more than it saves.
    if (this.#calls === 1 || performance.now() < this.#unwatchedUntilMs) return this.#look(signal);
    const turn = this.#turn.then(() => this.#find(signal));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Ends the watching, once the calls before are over. */
  async close(): Promise<void> {
    this.#unwatchedUntilMs = Number.POSITIVE_INFINITY;
    await this.#turn;
    this.#watch?.[Symbol.dispose]();
  }

  async #find(signal: AbortSignal): Promise<Unsearched> {
    signal.throwIfAborted();
    const seen = await this.#watch?.take();
    const lists = stampsOf(ignoreListsAbove(this.#options.folder));
    if (lists !== this.#lists || performance.now() - this.#foundAtMs > TRUSTED_MS) this.#forget();
    this.#lists = lists;
    if (seen) await this.#takeIn(seen);
    return this.#known && this.#asked.size === 0 ? foundOf(this.#known) : this.#findAnew(signal);
  }

  async #takeIn({ paths, isPartial }: Seen): Promise<void> {
    const { folder, isAscii, ripgrep } = this.#options;
    const { maxFileBytes, privatePaths } = ripgrep;
    // Nexus itself writes there, and no search enters.
    const isPrivate = (path: string) => privatePaths.some((own) => isInside({ path, folder: own }));
    const changed = [...paths].filter((path) => !isPrivate(path));
    const gone = changed.filter((path) => this.#watch?.drop(path));
    const isMuch = isPartial || gone.length > 0 || changed.length > FEW_CHANGED;
    if (isMuch || changed.some(changesWhatCounts)) this.#forget();
    if (!this.#known) return;
    for (const path of changed) {
      const name = relative(folder, path).split(sep).join('/');
      if (this.#ignored.has(name)) continue;
      const unseen = await unseenAt(path, { maxFileBytes, isAscii });
      const wasKnown = this.#known.delete(name);
      if (unseen === undefined) continue;
      // Whether it is ignored, only rg says.
      if (wasKnown) this.#known.set(name, unseen);
      else this.#asked.add(name);
    }
  }

  async #findAnew(signal: AbortSignal): Promise<Unsearched> {
    const foundAtMs = performance.now();
    await this.#watchFolders(signal);
    const found = await this.#look(signal);
    if (!this.#watch || found.isPartial) return found;
    this.#foundAtMs = foundAtMs;
    this.#known = knownOf(found);
    for (const name of this.#asked) if (!this.#known.has(name)) this.#ignored.add(name);
    this.#asked.clear();
    return found;
  }

  /** Before the look: what is made in between is seen twice, and nothing is missed. */
  async #watchFolders(signal: AbortSignal): Promise<void> {
    const { folder: root, ripgrep, parsing } = this.#options;
    this.#watch ??= new FolderWatch();
    try {
      this.#watch.keep(await watchBelow(this.#watch, { root, ripgrep, parsing }, signal));
    } catch {
      signal.throwIfAborted();
      // They are too many for that or for the system, or could not be read in time.
      this.#unwatchedUntilMs = performance.now() + TRUSTED_MS;
      this.#watch[Symbol.dispose]();
      this.#watch = undefined;
    }
  }

  #look(signal: AbortSignal): Promise<Unsearched> {
    const { folder, isAscii, ripgrep } = this.#options;
    return unsearched(ripgrep, { cwd: folder, isAscii, signal });
  }

  #forget(): void {
    this.#known = undefined;
    this.#ignored.clear();
    this.#asked.clear();
  }
}

function knownOf({ tooLarge, foreign }: Unsearched): Map<string, Unseen> {
  return new Map<string, Unseen>([
    ...tooLarge.map((file) => [file, 'too large'] as const),
    ...foreign.map(({ file, readAs }) => [file, readAs] as const),
  ]);
}

function foundOf(known: ReadonlyMap<string, Unseen>): Unsearched {
  const tooLarge: string[] = [];
  const foreign: Foreign[] = [];
  for (const [file, unseen] of known) {
    if (unseen === 'too large') tooLarge.push(file);
    else foreign.push({ file, readAs: unseen });
  }
  return { tooLarge, foreign, isPartial: false };
}

/** What tells one state of these files from another. */
function stampsOf(paths: Iterable<string>): string {
  const stamps: string[] = [];
  for (const path of paths) {
    const stats = statOf(path);
    if (stats) stamps.push(`${path} ${stats.ino} ${stats.size} ${stats.ctimeMs}`);
  }
  return stamps.join('\n');
}

/** Whether what happened to it may change which files count. */
function changesWhatCounts(path: string): boolean {
  return DECIDING.has(basename(path)) || isFolder(path);
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}
