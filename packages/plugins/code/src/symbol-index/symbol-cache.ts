import type { Log } from '@nexus/plugin-sdk';
import { addToCache, type Changes, dropLeftovers, loadCache, saveCache } from './cache-file.ts';
import type { IndexedFile } from './indexed-file.ts';

const SAVE_AFTER_MS = 5_000;
/** Lines of the cache that count no more, until it is written anew: as many as there are files, and so many. */
const MOST_IDLE_LINES = 10_000;

/** Keeps what was indexed on disk, some seconds behind. */
export class SymbolCache {
  readonly #files: Map<string, IndexedFile>;
  readonly #cacheFile: string;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  /** Paths whose last change is not in the file. */
  #unsaved = new Set<string>();
  #lines = 0;

  /** @param files what is to be kept, by path: read when it is written */
  constructor(files: Map<string, IndexedFile>, { cacheFile, log }: { cacheFile: string; log: Log }) {
    this.#files = files;
    this.#cacheFile = cacheFile;
    this.#log = log;
  }

  /** Fills the files from disk. @param mostSymbols of which files are taken */
  async load(mostSymbols: number): Promise<void> {
    await dropLeftovers(this.#cacheFile);
    const { files, lines } = await loadCache(this.#cacheFile, mostSymbols);
    this.#lines = lines;
    for (const [path, file] of files) this.#files.set(path, file);
  }

  /** Has what changed of a path written soon. */
  note(path: string): void {
    this.#unsaved.add(path);
    this.#timer ??= setTimeout(() => this.#save(), SAVE_AFTER_MS).unref();
  }

  /** Writes what is not written yet. */
  async close(): Promise<void> {
    if (this.#timer) this.#save();
    await this.#saving;
  }

  /** One after the other: two at once would write to the same file. */
  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#saving = this.#saving
      .then(() => this.#write())
      .catch((error: unknown) =>
        this.#log.warn('code: the symbol cache could not be written', { err: error }),
      );
  }

  async #write(): Promise<void> {
    const paths = this.#unsaved;
    this.#unsaved = new Set();
    try {
      const isIdle = this.#lines + paths.size > 2 * this.#files.size + MOST_IDLE_LINES;
      const added = isIdle ? undefined : await addToCache(this.#cacheFile, this.#changesOf(paths));
      if (added === undefined) this.#lines = await saveCache(this.#cacheFile, this.#files);
      else this.#lines += added;
    } catch (error) {
      for (const path of paths) this.#unsaved.add(path);
      throw error;
    }
  }

  *#changesOf(paths: Iterable<string>): Changes {
    for (const path of paths) yield [path, this.#files.get(path)];
  }
}
