import type { Host } from '@nexus/plugin-sdk';
import type { CodeOptions } from './options.ts';
import type { Ripgrep } from './ripgrep/run.ts';
import { SymbolIndexes } from './symbol-index/symbol-indexes.ts';
import { createParsers, type Parsers } from './syntax/parsers.ts';

/** What the calls share. Nothing in it works before a call needs it. */
export interface CodeState {
  readonly maxFileBytes: number;
  readonly ripgrep: Ripgrep;
  readonly parsers: Parsers;
  readonly indexes: SymbolIndexes;
}

export function createState(options: CodeOptions, host: Host): CodeState {
  const { exclude, maxFileBytes } = options;
  const ripgrep = { binary: options.ripgrepPath, exclude, maxFileBytes };
  const parsers = createParsers();
  return { maxFileBytes, ripgrep, parsers, indexes: new SymbolIndexes(options, { ripgrep, parsers, host }) };
}
