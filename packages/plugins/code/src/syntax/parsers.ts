import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as TreeSitter from 'web-tree-sitter';
import type { Language } from './language.ts';

/** A language ready to use. */
export interface LoadedLanguage {
  readonly parser: TreeSitter.Parser;
  readonly query: TreeSitter.Query;
}

/** Grammars load when first needed: each costs some milliseconds and a megabyte or more. */
export interface Parsers {
  load(language: Language): Promise<LoadedLanguage>;
}

export function createParsers(): Parsers {
  const loaded = new Map<string, Promise<LoadedLanguage>>();
  return {
    load(language) {
      const known = loaded.get(language.grammar);
      if (known) return known;
      const loading = load(language);
      loaded.set(language.grammar, loading);
      // A grammar that failed to load, say while its package was being replaced, is tried again.
      loading.catch(() => loaded.delete(language.grammar));
      return loading;
    },
  };
}

/**
 * Parses a text and frees the tree after use: it lives in WebAssembly's memory, which no garbage
 * collector sees.
 */
export function withTree<T>(text: string, { parser }: LoadedLanguage, use: (root: TreeSitter.Node) => T): T {
  const tree = parser.parse(text);
  if (!tree) throw new Error('tree-sitter gave no tree: the parser has no language');
  try {
    return use(tree.rootNode);
  } finally {
    tree.delete();
  }
}

async function load({ grammar, query }: Language): Promise<LoadedLanguage> {
  const { Language, Parser, Query } = await startTreeSitter();
  const file = join(
    dirname(resolve('@vscode/tree-sitter-wasm/package.json')),
    'wasm',
    `tree-sitter-${grammar}.wasm`,
  );
  const language = await Language.load(file);
  return { parser: new Parser().setLanguage(language), query: new Query(language, query) };
}

let starting: Promise<typeof TreeSitter> | undefined;

/** Once a process: `Parser.init` makes the one WebAssembly instance that all grammars are linked into. */
function startTreeSitter(): Promise<typeof TreeSitter> {
  starting ??= import('web-tree-sitter').then(async (treeSitter) => {
    await treeSitter.Parser.init({ locateFile: () => resolve('web-tree-sitter/web-tree-sitter.wasm') });
    return treeSitter;
  });
  return starting;
}

/** From node_modules, as the code runs from source and from a bundle. */
function resolve(specifier: string): string {
  return createRequire(import.meta.url).resolve(specifier);
}
