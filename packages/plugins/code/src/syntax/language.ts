/** All that differs from language to language, as data. */
export interface Language {
  readonly name: string;
  /** Lower case, with the dot. */
  readonly extensions: readonly string[];
  /** File in `@vscode/tree-sitter-wasm`, without its `tree-sitter-` and `.wasm`. */
  readonly grammar: string;
  /** The package that has it where that one has not. */
  readonly grammarFrom?: string;
  /**
   * A tree-sitter query. Captures: `@name` the name, a kind of {@link SYMBOL_KINDS} the declaration,
   * `@parent` a name that is not that of the node around it, `@scope` a node that lends its name to
   * what is inside but is no symbol itself, `@imported` what is declared elsewhere, whatever later
   * patterns say, `@local` a node whose inside is local. Of two patterns
   * that find the same name, the earlier one counts.
   */
  readonly query: string;
  /** Nodes around a declaration that belong to its signature, such as `export`. */
  readonly wrappers: readonly string[];
  /**
   * Where the query finds only the middle of a declaration: its nodes of type `from` stand for the one
   * of `to` that is around them, with nothing but `through` between, and are nothing where there is
   * none. Patterns for each such nesting would take the query a second to compile.
   */
  readonly lift?: {
    readonly from: string;
    readonly through: readonly string[];
    readonly to: readonly string[];
  };
}
