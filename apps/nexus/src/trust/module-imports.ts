import { isBuiltin } from 'node:module';
import { parse } from 'es-module-lexer/js';
import { mayWriteFiles } from './file-writes.ts';
import { isInComment } from './in-comment.ts';
import { mayRunMore, withoutEscapes } from './open-code.ts';

/** What a module imports, as far as its text tells. */
export interface ModuleImports {
  /** As they are written, escapes read: `./a.mjs`, `zod`, `#own`. */
  readonly specifiers: readonly string[];
  /** False where it may load or run something that no specifier names. */
  readonly isCertain: boolean;
  /** Whether it may write, move or take away files, and so what is loaded later. */
  readonly writesFiles: boolean;
}

/** `require('./a')`, and nothing put together. */
const REQUIRED = /\brequire\s*\(\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)'|`([^`\\$\n]*)`)\s*\)/g;
/** The same of texts that the lexer does not read, such as JSX. */
const IMPORTED = /\b(?:from|import)\s*(?:\(\s*)?["']([^"'\\\n]+)["']/g;
/** Modules of Node's that load, run and connect to no code; any other may. */
const HARMLESS_MODULES =
  /^(?:node:)?(?:assert|async_hooks|buffer|console|constants|crypto|dgram|diagnostics_channel|dns|events|fs|http|http2|https|net|os|path|perf_hooks|process|punycode|querystring|readline|stream|string_decoder|timers|tls|tty|url|util|zlib)(?:\/|$)/;
/** Characters that stand for themselves in a path and in a URL; `%`, `?` and `#` are read both ways. */
const PLAIN_PATH = /^[\p{L}\p{N}\p{M}\w.~@+/%?#=&!,-]+$/u;

export function importsOf(text: string): ModuleImports {
  const required = [...text.matchAll(REQUIRED)].map(
    ([, ...forms]) => forms.find((form) => form !== undefined) ?? '',
  );
  const { names, isRead, starts } = imported(text);
  const hidden = unseenImports(text, starts);
  const specifiers = [...new Set([...names, ...required, ...hidden.names])];
  const isCertain = isRead && hidden.isRead && specifiers.every(isPlain) && !mayRunMore(text);
  return { specifiers, isCertain, writesFiles: mayWriteFiles(withoutEscapes(text)) };
}

interface Imported {
  readonly names: readonly string[];
  readonly isRead: boolean;
}

function imported(text: string): Imported & { readonly starts: ReadonlySet<number> } {
  try {
    const [imports] = parse(text);
    const loads = imports.filter(({ d }) => d !== IMPORT_META);
    return {
      names: loads.flatMap(({ n }) => (n === undefined ? [] : [n])),
      isRead: loads.every(({ n, s, e }) => n !== undefined && !(isBuiltin(n) && /\\/.test(text.slice(s, e)))),
      starts: new Set(imports.map(({ ss }) => ss)),
    };
  } catch (error) {
    // The lexer says where it could not go on; anything else is no fault of the text.
    if (!(error instanceof Error && 'idx' in error)) throw error;
    return {
      names: [...text.matchAll(IMPORTED)].map(([, name = '']) => name),
      isRead: false,
      starts: new Set(),
    };
  }
}

const IMPORT_META = -2;

/** A relative path, a package, or a module of Node's that runs nothing by itself. */
function isPlain(specifier: string): boolean {
  if (isBuiltin(specifier)) return HARMLESS_MODULES.test(specifier);
  if (!PLAIN_PATH.test(specifier)) return false;
  return /^\.{1,2}(?:\/|$)|^@?[\w-][\w.~-]*(?:\/|$)/.test(specifier);
}

/**
 * What stands as an import where the lexer saw none: it can take for a pattern or a text what is code, as in
 * `[function () {} / import(k) / 1]`. Of `import('./a')` the name is followed, in a comment as well.
 */
function unseenImports(text: string, starts: ReadonlySet<number>): Imported {
  const names: string[] = [];
  let isRead = true;
  for (const { 0: word, index } of text.matchAll(/\b(?:import|export)\b/g)) {
    if (starts.has(index) || /[\w$.#]$/.test(text.slice(Math.max(0, index - 1), index))) continue;
    const after = text.slice(index + word.length, index + MOST_CHARS);
    const [, name] = LITERAL.exec(after) ?? [];
    if (word === 'import' && /^\s*(?:\(|\/[*/])/.test(after)) {
      if (isInComment(text, index)) continue;
      if (name === undefined) isRead = false;
      else names.push(name);
    } else if (STATEMENT.test(after) && !isNoStatement(text, index)) isRead = false;
  }
  return { names, isRead };
}

const MOST_CHARS = 2_000;
const LITERAL = /^\s*\(\s*["'`]([^"'`\\$\n]+)["'`]\s*[,)]/;
/** `"./a"`, and `a, { b as c } from "./a"`. */
const STATEMENT = /^\s*(?:["']|(?:type\s+)?[\w$*{][^;'"`()]*\bfrom\s*(?:["']|\/[*/]))/;

/** In a comment; an import or export begins a statement, so it stands after no `*` and after no word. */
function isNoStatement(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 200), at);
  return (
    /(?:^|\n)[^\S\n]*\*[^\S\n]*$/.test(before) ||
    /[\w,][^\S\n\r\u2028\u2029]+$/.test(before) ||
    isInComment(text, at)
  );
}
