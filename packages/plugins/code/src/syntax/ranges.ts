import type { Node, QueryMatch } from 'web-tree-sitter';
import type { Language } from './language.ts';
import { SYMBOL_KINDS, type SymbolKind } from './symbol.ts';

/** A part of a text that means something to what lies inside. */
export interface Range {
  readonly node: Node;
  readonly name: Node | undefined;
  readonly kind: SymbolKind | 'scope' | 'local' | 'imported';
  readonly parent: Node | undefined;
}

const KINDS: ReadonlySet<string> = new Set([...SYMBOL_KINDS, 'scope', 'local', 'imported']);

/** One range a name, by the earliest pattern; outer before inner, a symbol before its own `@local`. */
export function rangesOf(matches: readonly QueryMatch[], language: Language): Range[] {
  const named = new Map<number, { range: Range; pattern: number }>();
  const locals: Range[] = [];
  for (const match of matches) {
    const range = rangeOf(match, language);
    if (!range) continue;
    if (!range.name) {
      locals.push(range);
      continue;
    }
    // A scope and a symbol may share a name node; they are different things.
    const key = range.kind === 'scope' ? -range.name.id : range.name.id;
    const known = named.get(key);
    const pattern = match.patternIndex;
    if (!known || pattern < known.pattern) named.set(key, { range, pattern });
  }
  return [...[...named.values()].map(({ range }) => range), ...locals].sort(
    (a, b) =>
      a.node.startIndex - b.node.startIndex ||
      b.node.endIndex - a.node.endIndex ||
      Number(a.kind === 'local') - Number(b.kind === 'local'),
  );
}

function rangeOf({ captures }: QueryMatch, { lift }: Language): Range | undefined {
  const capture = (wanted: string) => captures.find(({ name }) => name === wanted)?.node;
  const main = captures.find(({ name }) => KINDS.has(name));
  const node = main && lift?.from === main.node.type ? lifted(main.node, lift) : main?.node;
  if (!main || !node) return undefined;
  return { node, kind: main.name as Range['kind'], name: capture('name'), parent: capture('parent') };
}

function lifted(node: Node, lift: NonNullable<Language['lift']>): Node | undefined {
  for (let around = node.parent; around; around = around.parent) {
    if (lift.to.includes(around.type)) return around;
    if (!lift.through.includes(around.type)) return undefined;
  }
  return undefined;
}
