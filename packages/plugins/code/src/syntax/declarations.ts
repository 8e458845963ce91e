import { cutEnd } from '@nexus/primitives';
import type { Node } from 'web-tree-sitter';
import type { Language } from './language.ts';
import { type LoadedLanguage, withTree } from './parsers.ts';
import { type Range, rangesOf } from './ranges.ts';
import { signatureOf } from './signature.ts';
import type { SourceSymbol, SymbolKind } from './symbol.ts';

/** A symbol with its places in the text it was read from. */
export interface Declaration {
  readonly symbol: SourceSymbol;
  /** Declared inside a function. */
  readonly isLocal: boolean;
  readonly nameIndex: number;
  /** Where it ends, its body included. */
  readonly end: number;
}

const MAX_NAME_CHARACTERS = 240;

/** A name given again there is the same thing, assigned anew. */
const ASSIGNED: ReadonlySet<SymbolKind> = new Set(['variable', 'constant', 'field']);

/** All declarations of a text, in its order. */
export function declarationsIn(text: string, language: Language, loaded: LoadedLanguage): Declaration[] {
  return withTree(text, loaded, (root) => declarationsOf(root, text, { language, loaded }));
}

/** As {@link declarationsIn}, of a text that is parsed already. */
export function declarationsOf(
  root: Node,
  text: string,
  { language, loaded }: { language: Language; loaded: LoadedLanguage },
): Declaration[] {
  const found: Declaration[] = [];
  const assigned = new Set<string>();
  const open = new OpenRanges();
  for (const range of rangesOf(loaded.query.matches(root), language)) {
    const { node, kind, name, parent } = range;
    open.closeBefore(node);
    const own = name && plainName(text.slice(name.startIndex, name.endIndex));
    if (name && own && kind !== 'scope' && kind !== 'local' && kind !== 'imported') {
      const symbol = {
        name: own,
        kind,
        ...signatureOf(node, text, { kind, wrappers: language.wrappers }),
        parent: parent ? cut(text.slice(parent.startIndex, parent.endIndex)) : open.parentOf(node),
      };
      const key = `${symbol.parent}\n${own}`;
      if (ASSIGNED.has(kind) && assigned.has(key)) continue;
      assigned.add(key);
      found.push({ symbol, isLocal: open.isLocal, nameIndex: name.startIndex, end: node.endIndex });
    }
    open.add(range, own);
  }
  return found;
}

/** The ranges around the one that is looked at, as long as they come outer before inner. */
class OpenRanges {
  readonly #ranges: { node: Node; name: string | undefined; isLocal: boolean }[] = [];

  get isLocal(): boolean {
    return this.#ranges.some((range) => range.isLocal);
  }

  closeBefore(node: Node): void {
    while ((this.#ranges.at(-1)?.node.endIndex ?? Number.POSITIVE_INFINITY) <= node.startIndex)
      this.#ranges.pop();
  }

  /** Of two names for one node, as in `int a(), b();`, neither is in the other. */
  parentOf(node: Node): string | null {
    return (
      this.#ranges.findLast((range) => range.name !== undefined && range.node.id !== node.id)?.name ?? null
    );
  }

  add({ node, kind }: Range, name: string | undefined): void {
    this.#ranges.push({ node, name, isLocal: kind === 'local' });
  }
}

/** Ruby's `:name` and a quoted property, as others refer to them. */
function plainName(text: string): string {
  return cut(text).replace(/^[:'"`]+|(?<!['"`])['"`]+$/g, '');
}

/** Quoted properties can have any length. */
function cut(name: string): string {
  return cutEnd(name, MAX_NAME_CHARACTERS);
}
