/** What a symbol can be, over all languages. */
export const SYMBOL_KINDS = [
  'class',
  'interface',
  'struct',
  'enum',
  'trait',
  'type',
  'module',
  'function',
  'method',
  'constructor',
  'field',
  'enum_member',
  'constant',
  'variable',
  'macro',
] as const;

export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** Kinds whose body is a list of other symbols. */
export const CONTAINER_KINDS: ReadonlySet<SymbolKind> = new Set<SymbolKind>([
  ...(['class', 'interface', 'struct', 'enum', 'trait', 'module'] as const),
]);

/** A declaration found in a source file. */
export interface SourceSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** The declaration without its body, on one line. */
  readonly signature: string;
  /** From 1. */
  readonly line: number;
  readonly endLine: number;
  /** The type, module or function it is declared in or belongs to. */
  readonly parent: string | null;
}
