import { isBuiltin } from 'node:module';
import { parse } from 'es-module-lexer/js';
import { mayRunMore } from './open-code.ts';

/** What a module imports, as far as its text tells. */
export interface ModuleImports {
  /** As they are written, escapes read: `./a.mjs`, `zod`, `#own`. */
  readonly specifiers: readonly string[];
  /** False where it may load or run something that no specifier names. */
  readonly isCertain: boolean;
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
  const { names, isRead } = imported(text);
  const specifiers = [...new Set([...names, ...required])];
  return { specifiers, isCertain: isRead && specifiers.every(isPlain) && !mayRunMore(text) };
}

function imported(text: string): { readonly names: readonly string[]; readonly isRead: boolean } {
  try {
    const [imports] = parse(text);
    const loads = imports.filter(({ d }) => d !== IMPORT_META);
    return {
      names: loads.flatMap(({ n }) => (n === undefined ? [] : [n])),
      isRead: loads.every(({ n }) => n !== undefined),
    };
  } catch (error) {
    // The lexer says where it could not go on; anything else is no fault of the text.
    if (!(error instanceof Error && 'idx' in error)) throw error;
    return { names: [...text.matchAll(IMPORTED)].map(([, name = '']) => name), isRead: false };
  }
}

const IMPORT_META = -2;

/** A relative path, a package, or a module of Node's that runs nothing by itself. */
function isPlain(specifier: string): boolean {
  if (isBuiltin(specifier)) return HARMLESS_MODULES.test(specifier);
  if (!PLAIN_PATH.test(specifier)) return false;
  return /^\.{1,2}(?:\/|$)|^@?[\w-][\w.~-]*(?:\/|$)/.test(specifier);
}
