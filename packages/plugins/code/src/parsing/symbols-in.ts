import { declarationsOf } from '../syntax/declarations.ts';
import { faultLinesOf } from '../syntax/fault-lines.ts';
import type { Language } from '../syntax/language.ts';
import { type LoadedLanguage, withTree } from '../syntax/parsers.ts';
import { type LocalSymbol, MAX_FAULT_LINES, MAX_SYMBOLS, type Symbols, type SymbolsWanted } from './task.ts';

export interface TextLanguage {
  readonly language: Language | undefined;
  readonly loaded: LoadedLanguage | undefined;
}

export function symbolsIn(
  text: string,
  { language, loaded }: TextLanguage,
  { depth, kinds }: SymbolsWanted,
): Symbols {
  if (!language || !loaded) return { of: 'symbols', symbols: [], total: 0, faultLines: [] };
  const { declarations, faultLines } = withTree(text, loaded, (root) => ({
    declarations: declarationsOf(root, text, { language, loaded }),
    faultLines: faultLinesOf(root, MAX_FAULT_LINES),
  }));
  const wanted = declarations
    .map(({ symbol, isLocal }) => ({ ...symbol, isLocal }))
    .filter((symbol) => isWanted(symbol, depth) && (!kinds || kinds.includes(symbol.kind)));
  return { of: 'symbols', symbols: wanted.slice(0, MAX_SYMBOLS), total: wanted.length, faultLines };
}

function isWanted({ isLocal, kind }: LocalSymbol, depth: SymbolsWanted['depth']): boolean {
  if (depth === 'all' || !isLocal) return true;
  // Variables of functions are half of all declarations, and nobody looks them up from outside.
  return depth === 'found' && kind !== 'variable' && kind !== 'constant';
}
