import type { Node } from 'web-tree-sitter';
import { type Declaration, declarationsOf } from './declarations.ts';
import type { Language } from './language.ts';
import { type LoadedLanguage, withTree } from './parsers.ts';
import { CONTAINER_KINDS, type SymbolKind } from './symbol.ts';
import { proseKind, type UsedAs, usedAs } from './used-as.ts';

export interface Occurrence {
  /** Where it starts in the text. */
  readonly index: number;
  /** The declaration that it names; absent for a use. */
  readonly declares?: Declaration;
  readonly as: UsedAs;
  /** The innermost function or type around it, or the constant or field whose value it is a part of. */
  readonly within: string | null;
}

export interface Occurrences {
  /** Identifiers, in the text's order. */
  readonly code: readonly Occurrence[];
  /** Where it stands, as a word, in comments and strings. */
  readonly mentions: readonly Occurrence[];
}

/** Nodes that hold text and no code; what is interpolated in a string has nodes of its own. */
const PROSE = /comment|string|heredoc|regex|jsx_text|char_literal|^text$/;
const WORD = /[\p{L}\p{N}_]/u;
/** What code can be in. */
const ENCLOSING: ReadonlySet<SymbolKind> = new Set([...CONTAINER_KINDS, 'function', 'method', 'constructor']);
/** The same, where no function is around them. */
const ENCLOSING_OUTSIDE: ReadonlySet<SymbolKind> = new Set([
  'constant',
  'variable',
  'field',
  'type',
  'macro',
]);

/** Where a name stands in a text, the identifiers told from what only reads like it. */
export function occurrencesIn(
  name: string,
  text: string,
  { language, loaded }: { language: Language; loaded: LoadedLanguage },
): Occurrences {
  const indexes = wordIndexes(name, text);
  if (indexes.length === 0) return { code: [], mentions: [] };
  return withTree(text, loaded, (root) => {
    const declarations = declarationsOf(root, text, { language, loaded });
    const ownDeclarations = declarations.filter((each) => each.symbol.name === name);
    const code: Occurrence[] = [];
    const mentions: Occurrence[] = [];
    for (const index of indexes) {
      const declares = ownDeclarations.find((each) => isAt(each.nameIndex, index));
      const node = root.descendantForIndex(index, index + name.length);
      const within = around(index, declarations);
      if (declares) code.push({ index, declares, as: 'use', within });
      else if (node && isIdentifier(node, index, index + name.length)) {
        code.push({ index, as: usedAs(node), within });
      } else mentions.push({ index, as: proseKind(node?.type ?? 'text'), within });
    }
    return { code, mentions };
  });
}

/** Where `name` stands with no letter, digit or underscore at its sides. */
export function wordIndexes(name: string, text: string): number[] {
  const indexes: number[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const isJoined = (inside: string | undefined, outside: string | undefined) =>
      WORD.test(inside ?? '') && WORD.test(outside ?? '');
    const end = at + name.length;
    if (!isJoined(name[0], text[at - 1]) && !isJoined(name.at(-1), text[end])) indexes.push(at);
  }
  return indexes;
}

/** A quoted name starts one character before the word. */
function isAt(nameIndex: number, index: number): boolean {
  return index === nameIndex || index === nameIndex + 1;
}

function around(index: number, declarations: readonly Declaration[]): string | null {
  const innermost = declarations.findLast(
    ({ symbol: { kind }, isLocal, nameIndex, end }) =>
      (ENCLOSING.has(kind) || (!isLocal && ENCLOSING_OUTSIDE.has(kind))) &&
      !isAt(nameIndex, index) &&
      nameIndex < index &&
      index < end,
  );
  return innermost?.symbol.name ?? null;
}

function isIdentifier(node: Node, start: number, end: number): boolean {
  return node.startIndex === start && node.endIndex === end && node.isNamed && !PROSE.test(node.type);
}
