import type { CodeOptions } from '../options.ts';
import type { SourceParsing } from '../parsing/source-parsing.ts';
import type { Ripgrep } from '../ripgrep/run.ts';
import { eventsAreInOrder } from '../watching/folder-watch.ts';
import { UnsearchedFolder } from './unsearched-folder.ts';

/** Each may watch thousands of folders; beyond that the one asked for longest ago is watched no more. */
const MAX_FOLDERS = 4;

/** What is known of the folders that were searched last. */
export class UnsearchedFolders {
  readonly #folders = new Map<string, UnsearchedFolder>();
  readonly #make: (folder: string, isAscii: boolean) => UnsearchedFolder;

  constructor({ watch }: CodeOptions, { ripgrep, parsing }: { ripgrep: Ripgrep; parsing: SourceParsing }) {
    this.#make = (folder, isAscii) =>
      new UnsearchedFolder({ folder, isAscii, ripgrep, parsing, watch: watch && eventsAreInOrder });
  }

  /**
   * @param folder real path
   * @param asked `isAscii` as {@link UnsearchedListing} says
   */
  of(folder: string, { isAscii }: { readonly isAscii: boolean }): UnsearchedFolder {
    const key = `${isAscii} ${folder}`;
    const known = this.#folders.get(key) ?? this.#make(folder, isAscii);
    this.#folders.delete(key);
    this.#folders.set(key, known);
    const [oldest] = this.#folders;
    if (oldest && this.#folders.size > MAX_FOLDERS) {
      this.#folders.delete(oldest[0]);
      void oldest[1].close();
    }
    return known;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#folders.values()].map((folder) => folder.close()));
  }
}
