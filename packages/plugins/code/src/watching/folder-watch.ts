import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { isInside } from '@nexus/primitives';

/**
 * The kernel keeps 16 384 events and drops the rest without a word; from here on none is relied upon, and
 * none is listened to, so that a folder where much is written costs nothing until the next look.
 */
const MAX_EVENTS = 8_192;

/** Only inotify tells of a change before the write returns; elsewhere events come some time later. */
export const eventsAreInOrder = process.platform === 'linux';

/** What happened since the last look. */
export interface Seen {
  /** Paths below a watched folder that were written, made, moved or removed. */
  readonly paths: ReadonlySet<string>;
  /** True when events may have been lost, and folders may be watched no more. */
  readonly isPartial: boolean;
}

/**
 * Watches folders, not trees: on 1 800 files in 300 folders that took 6 ms and 0.4 MB, where chokidar 4
 * took 408 ms and 32 MB and a recursive `fs.watch` 131 ms and 11 MB, since both watch each file on Linux.
 */
export class FolderWatch implements Disposable {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #paths = new Set<string>();
  #eventCount = 0;
  #isPartial = false;

  /** @throws the system's error when it watches no more (ENOSPC, EMFILE) */
  add(folder: string): void {
    if (this.#watchers.has(folder)) return;
    // Not persistent: a watch must never keep the process alive.
    const watcher = watch(folder, { persistent: false }, (_event, name) => this.#saw(folder, name));
    watcher.on('error', () => {
      this.#isPartial = true;
    });
    this.#watchers.set(folder, watcher);
  }

  /**
   * Stops watching a folder, and those in it, that was removed, moved or replaced: a watch stays with
   * what it was set on, whatever has that name now.
   * @returns whether it was watched
   */
  drop(folder: string): boolean {
    if (!this.#watchers.has(folder)) return false;
    this.#close((each) => isInside({ path: each, folder }));
    return true;
  }

  /** Stops watching what is not in `folders`. */
  keep(folders: ReadonlySet<string>): void {
    this.#close((folder) => !folders.has(folder));
  }

  /** All that happened before the call: inotify queues an event before the write returns. */
  async take(): Promise<Seen> {
    await oneWholePoll();
    const seen = { paths: new Set(this.#paths), isPartial: this.#isPartial };
    this.#paths.clear();
    this.#eventCount = 0;
    this.#isPartial = false;
    return seen;
  }

  [Symbol.dispose](): void {
    this.#close(() => true);
  }

  #close(isMeant: (folder: string) => boolean): void {
    for (const [folder, watcher] of this.#watchers) {
      if (!isMeant(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
  }

  #saw(folder: string, name: string | null): void {
    this.#eventCount += 1;
    if (name !== null) this.#paths.add(join(folder, name));
    if (name === null || this.#eventCount > MAX_EVENTS) this.#isPartial = true;
    if (this.#eventCount > MAX_EVENTS) this.#close(() => true);
  }
}

/** Immediates run after polling; between two of them lies one poll from its start to its end. */
async function oneWholePoll(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  await new Promise<void>((resolve) => setImmediate(resolve));
}
