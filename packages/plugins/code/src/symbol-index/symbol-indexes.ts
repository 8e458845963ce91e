import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Host } from '@nexus/plugin-sdk';
import type { CodeOptions } from '../options.ts';
import type { SourceParsing } from '../parsing/source-parsing.ts';
import type { Ripgrep } from '../ripgrep/run.ts';
import { eventsAreInOrder } from '../watching/folder-watch.ts';
import { SymbolIndex } from './symbol-index.ts';

/** Clients come and go with their roots; beyond that the index used longest ago is closed. */
const MAX_INDEXES = 8;

/** One index a root, made when first asked for. */
export class SymbolIndexes {
  readonly #indexes = new Map<string, SymbolIndex>();
  readonly #make: (root: string) => SymbolIndex;

  constructor(
    options: CodeOptions,
    { ripgrep, parsing, host }: { ripgrep: Ripgrep; parsing: SourceParsing; host: Host },
  ) {
    this.#make = (root) =>
      new SymbolIndex({
        root,
        ripgrep,
        parsing,
        cacheFile: join(host.dataDir, 'code', `symbols-${nameFor(root)}.jsonl`),
        maxFiles: options.maxIndexedFiles,
        watch: options.watch && eventsAreInOrder,
        log: host.log,
      });
  }

  of(root: string): SymbolIndex {
    const index = this.#indexes.get(root) ?? this.#make(root);
    this.#indexes.delete(root);
    this.#indexes.set(root, index);
    const [oldest] = this.#indexes;
    if (oldest && this.#indexes.size > MAX_INDEXES) {
      this.#indexes.delete(oldest[0]);
      void oldest[1].close();
    }
    return index;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#indexes.values()].map((index) => index.close()));
  }
}

function nameFor(root: string): string {
  return createHash('sha1').update(root).digest('hex').slice(0, 16);
}
