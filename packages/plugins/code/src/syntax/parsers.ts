import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as TreeSitter from 'web-tree-sitter';
import { carriedGrammar } from './carried-grammars.ts';
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

/**
 * @param maxBytes of a text to parse: WebAssembly's memory is bounded by it. What exceeds it traps, and
 * no parser works any more.
 */
export function createParsers(maxBytes: number): Parsers {
  const loaded = new Map<string, Promise<LoadedLanguage>>();
  return {
    load(language) {
      const known = loaded.get(language.grammar);
      if (known) return known;
      const loading = load(language, maxBytes);
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

async function load({ grammar, grammarFrom, query }: Language, maxBytes: number): Promise<LoadedLanguage> {
  const { Language, Parser, Query } = await startTreeSitter(maxBytes);
  const name = `tree-sitter-${grammar}.wasm`;
  const file = grammarFrom
    ? carriedGrammar(grammarFrom, name)
    : join(dirname(resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm', name);
  const language = await Language.load(file);
  return { parser: new Parser().setLanguage(language), query: new Query(language, query) };
}

let starting: Promise<typeof TreeSitter> | undefined;

/** Once a thread: `Parser.init` makes the one WebAssembly instance that all grammars are linked into. */
function startTreeSitter(maxBytes: number): Promise<typeof TreeSitter> {
  starting ??= import('web-tree-sitter').then(async (treeSitter) => {
    await treeSitter.Parser.init({
      locateFile: () => resolve('web-tree-sitter/web-tree-sitter.wasm'),
      wasmMemory: boundedMemory(maxBytes),
    });
    return treeSitter;
  });
  return starting;
}

const PAGE_BYTES = 65_536;
/** As many as tree-sitter asks for by itself. */
const INITIAL_PAGES = 512;
/** Megabytes of generated code in tiny tokens took 140 bytes of tree for each of their own. */
const MEMORY_PER_BYTE = 256;
/** WebAssembly addresses by 32 bits, of which tree-sitter uses 31. */
const MAX_PAGES = 32_768;

function boundedMemory(maxBytes: number): object {
  const pages = Math.ceil((maxBytes * MEMORY_PER_BYTE) / PAGE_BYTES);
  return new webAssembly.Memory({
    initial: INITIAL_PAGES,
    maximum: Math.min(MAX_PAGES, Math.max(2 * INITIAL_PAGES, pages)),
  });
}

// TypeScript keeps its types among the browser's, which this project has none of.
const { WebAssembly: webAssembly } = globalThis as unknown as {
  WebAssembly: { Memory: new (limits: { initial: number; maximum: number }) => object };
};

/** From node_modules, as the code runs from source and from a bundle. */
function resolve(specifier: string): string {
  return createRequire(import.meta.url).resolve(specifier);
}
