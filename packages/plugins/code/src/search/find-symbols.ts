import { join, relative, sep } from 'node:path';
import type { CallContext } from '@nexus/plugin-sdk';
import { counted, cutEndCounted, OWN_SENTENCES } from '@nexus/primitives';
import { hitLineChars } from '../answers/hits-text.ts';
import { readExcerpts } from '../files/excerpt.ts';
import { createPause } from '../files/pause.ts';
import type { LocalSymbol } from '../parsing/task.ts';
import { listFiles } from '../ripgrep/list-files.ts';
import { displayPath } from '../roots/display-path.ts';
import type { Target } from '../roots/targets.ts';
import type { CodeState } from '../state.ts';
import { hashesOf } from '../symbol-index/trigrams.ts';
import { requireLanguage } from '../syntax/languages.ts';
import { UnreadFiles } from '../unread.ts';
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
  readonly symbol: LocalSymbol;
}

/** One page of the symbols whose name matches, the nearest names first, then by path and line. */
export async function findSymbols(query: SymbolQuery, context: CallContext<CodeState>) {
  const matches = new NearestMatches(query.offset + query.limit);
  const notes: string[] = [];
  const unread = new UnreadFiles();
  let isLowerBound = false;
  const pause = createPause();
  for (const target of query.targets) {
    await assertNamedText(target, context);
    if (target.file !== undefined) requireLanguage(target.file);
    const index = context.state.indexes.of(target.root);
    const isWanted = await filterOf(target, query.glob, context);
    const name = readName(query.query);
    const { signal, progress } = context;
    const notRead = await index.refresh({ signal, progress, name: name.lower, isWanted });
    if (notRead > 0) notes.push(notReadNote(target.root, notRead));
    isLowerBound ||= notRead > 0;
    if (index.leftOut > 0) notes.push(leftOutNote(target.root, index.leftOut));
    const hashes = hashesOf(name.lower);
    for (const group of await index.groups()) {
      for (const { path, symbols, lowerNames, fault } of group.mayHave(hashes)) {
        if (fault !== undefined && isWanted(path)) {
          unread.add(displayPath(context.host.projectRoot, join(target.root, path)), fault);
        }
        if (!lowerNames.includes(name.lower) || !isWanted(path)) continue;
        for (const symbol of symbols) {
          const lowerName = symbol.name.toLowerCase();
          if (!lowerName.includes(name.lower) || !isIn(symbol, name.parent)) continue;
          matches.add(nearness(symbol, lowerName, name), { root: target.root, path, symbol });
        }
        context.signal.throwIfAborted();
        await pause();
      }
    }
  }
  const page = matches.page(query.offset).map(({ root, path, symbol }) => ({
    path: join(root, path),
    line: symbol.line,
    column: 1,
    symbol,
  }));
  const { maxFileBytes } = context.state;
  const lineChars = hitLineChars(context.host.results);
  const excerpts =
    query.context === 0
      ? []
      : await readExcerpts(page, { contextLines: query.context, maxBytes: maxFileBytes, lineChars });
  return {
    hits: page.map(({ path, line, symbol: { name, kind, parent, signature } }, at) => ({
      file: displayPath(context.host.projectRoot, path),
      line,
      text: cutEndCounted(signature, lineChars),
      context: excerpts[at]?.context ?? [],
      symbol: parent === null ? name : `${parent}.${name}`,
      kind,
    })),
    total: matches.total,
    ...(isLowerBound ? { totalIsLowerBound: true } : {}),
    ...unread.part,
    ...(notes.length > 0 ? { notes } : {}),
  };
}

const NEARNESS = ['same', 'same but for case', 'start', 'part', 'local'] as const;

/** The first `most` matches by nearness; the others are only counted, since a short name may match millions. */
class NearestMatches {
  readonly #byNearness: Match[][] = NEARNESS.map(() => []);
  readonly #most: number;
  total = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** @param nearness a place in {@link NEARNESS} */
  add(nearness: number, match: Match): void {
    this.total += 1;
    const matches = this.#byNearness[nearness];
    if (matches && matches.length < this.#most) matches.push(match);
  }

  page(offset: number): Match[] {
    return this.#byNearness.flat().slice(offset, this.#most);
  }
}

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

function isIn({ parent }: LocalSymbol, wanted: string | undefined): boolean {
  return wanted === undefined || parent?.toLowerCase() === wanted;
}

/** @returns a place in {@link NEARNESS} */
function nearness({ name, isLocal }: LocalSymbol, lowerName: string, wanted: Name): number {
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
  const { files } = await listFiles(context.state.ripgrep, { cwd, glob, signal: context.signal });
  const paths = new Set(files.map((path) => prefix + path));
  return (path: string) => paths.has(path);
}

function notReadNote(root: string, count: number): string {
  return OWN_SENTENCES.notReadInTime(`${root}: ${counted(count, 'file')}`);
}

function leftOutNote(root: string, count: number): string {
  return `${root}: ${counted(count, 'source file')} beyond code.maxIndexedFiles of the config ${count === 1 ? 'is' : 'are'} not searched.`;
}
