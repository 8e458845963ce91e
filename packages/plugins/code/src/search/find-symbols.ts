import { join, relative, sep } from 'node:path';
import type { CallContext } from '@nexus/plugin-sdk';
import { readExcerpts } from '../files/excerpt.ts';
import { listFiles } from '../ripgrep/list-files.ts';
import { displayPath } from '../roots/display-path.ts';
import type { Target } from '../roots/targets.ts';
import type { CodeState } from '../state.ts';
import type { IndexedSymbol } from '../symbol-index/indexed-file.ts';
import { requireLanguage } from '../syntax/languages.ts';
import { assertNamedText } from './assert-named-text.ts';

export interface SymbolQuery {
  readonly query: string;
  readonly targets: readonly Target[];
  readonly glob?: string | undefined;
  readonly context: number;
  readonly limit: number;
  readonly offset: number;
}

interface Match {
  readonly root: string;
  readonly path: string;
  readonly symbol: IndexedSymbol;
}

/** One page of the symbols whose name matches, the nearest names first, then by path and line. */
export async function findSymbols(query: SymbolQuery, context: CallContext<CodeState>) {
  const byNearness: Match[][] = NEARNESS.map(() => []);
  const notes: string[] = [];
  for (const target of query.targets) {
    await assertNamedText(target, context);
    if (target.file !== undefined) requireLanguage(target.file);
    const index = context.state.indexes.of(target.root);
    await index.refresh(context);
    if (index.leftOut > 0) notes.push(leftOutNote(target.root, index.leftOut));
    const isWanted = await filterOf(target, query.glob, context);
    const name = readName(query.query);
    for (const { path, symbols, lowerNames, allLowerNames } of index.files) {
      if (!allLowerNames.includes(name.lower) || !isWanted(path)) continue;
      for (let at = 0; at < symbols.length; at += 1) {
        const lowerName = lowerNames[at];
        const symbol = symbols[at];
        if (!symbol || !lowerName?.includes(name.lower) || !isIn(symbol, name.parent)) continue;
        byNearness[nearness(symbol, lowerName, name)]?.push({ root: target.root, path, symbol });
      }
    }
  }
  const matches = byNearness.flat();
  const page = matches.slice(query.offset, query.offset + query.limit).map(({ root, path, symbol }) => ({
    path: join(root, path),
    line: symbol.line,
    column: 1,
    symbol,
  }));
  const excerpts = query.context === 0 ? [] : await readExcerpts(page, query.context);
  return {
    hits: page.map(({ path, line, symbol: { name, kind, parent, signature } }, at) => ({
      file: displayPath(context.host.projectRoot, path),
      line,
      text: signature,
      context: excerpts[at]?.context ?? [],
      symbol: parent === null ? name : `${parent}.${name}`,
      kind,
    })),
    total: matches.length,
    ...(notes.length > 0 ? { notes } : {}),
  };
}

const NEARNESS = ['same', 'same but for case', 'start', 'part', 'local'] as const;

interface Name {
  readonly exact: string;
  readonly lower: string;
  /** Lower case. */
  readonly parent: string | undefined;
}

/** `name`, or a parent and a name as any language joins them: `A.b`, `A::b`, `A#b`. */
function readName(query: string): Name {
  const parts = query.split(/::|[.#]/).filter((part) => part !== '');
  const exact = parts.at(-1) ?? query;
  return { exact, lower: exact.toLowerCase(), parent: parts.at(-2)?.toLowerCase() };
}

function isIn({ parent }: IndexedSymbol, wanted: string | undefined): boolean {
  return wanted === undefined || parent?.toLowerCase() === wanted;
}

/** @returns a place in {@link NEARNESS} */
function nearness({ name, isLocal }: IndexedSymbol, lowerName: string, wanted: Name): number {
  if (isLocal) return 4;
  if (name === wanted.exact) return 0;
  if (lowerName === wanted.lower) return 1;
  return lowerName.startsWith(wanted.lower) ? 2 : 3;
}

/** Which of the index's files the target and the glob, which is relative to it, leave. */
async function filterOf(
  { root, cwd, file }: Target,
  glob: string | undefined,
  context: CallContext<CodeState>,
) {
  const from = relative(root, cwd).split(sep).join('/');
  const prefix = from === '' ? '' : `${from}/`;
  if (file !== undefined) return (path: string) => path === prefix + file;
  if (glob === undefined) return (path: string) => path.startsWith(prefix);
  const listed = await listFiles(context.state.ripgrep, { cwd, glob, signal: context.signal });
  const paths = new Set(listed.map((path) => prefix + path));
  return (path: string) => paths.has(path);
}

function leftOutNote(root: string, count: number): string {
  return `${root}: ${count} source files beyond code.maxIndexedFiles of the config are not searched.`;
}
