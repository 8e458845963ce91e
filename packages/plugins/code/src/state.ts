import type { Host } from '@nexus/plugin-sdk';
import type { CodeOptions } from './options.ts';
import { SourceParsing } from './parsing/source-parsing.ts';
import { findBinarySoon } from './ripgrep/binary.ts';
import type { Ripgrep } from './ripgrep/run.ts';
import { SymbolIndexes } from './symbol-index/symbol-indexes.ts';
import { UnsearchedFolders } from './unsearched/unsearched-folders.ts';

/** What the calls share. Nothing in it works before a call needs it. */
export interface CodeState {
  readonly maxFileBytes: number;
  readonly ripgrep: Ripgrep;
  readonly parsing: SourceParsing;
  readonly indexes: SymbolIndexes;
  readonly unsearched: UnsearchedFolders;
}

export function createState(options: CodeOptions, host: Host): CodeState {
  const { exclude, maxFileBytes } = options;
  const { privatePaths, programs } = host;
  const ripgrep = { binary: options.ripgrepPath, exclude, maxFileBytes, privatePaths, programs };
  findBinarySoon(options.ripgrepPath);
  const parsing = new SourceParsing(host.workers, maxFileBytes);
  return {
    maxFileBytes,
    ripgrep,
    parsing,
    indexes: new SymbolIndexes(options, { ripgrep, parsing, host }),
    unsearched: new UnsearchedFolders(options, { ripgrep, parsing }),
  };
}
