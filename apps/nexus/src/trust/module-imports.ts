import { isBuiltin } from 'node:module';
import { parse } from 'es-module-lexer/js';

/** What a module imports, as far as its text tells. */
export interface ModuleImports {
  /** As they are written, escapes read: `./a.mjs`, `zod`, `#own`. */
  readonly specifiers: readonly string[];
  /** False where it may load or run something that no specifier names. */
  readonly isCertain: boolean;
}

/** `require('./a')`, and nothing put together. */
const REQUIRED = /\brequire\s*\(\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)'|`([^`\\$]*)`)\s*\)/g;
/** The same of texts that the lexer does not read, such as JSX. */
const IMPORTED = /\b(?:from|import)\s*(?:\(\s*)?["']([^"'\\\n]+)["']/g;
/** By these a program runs what no import of its names. */
const OPEN =
  /\b(?:require|createRequire|getBuiltinModule|dlopen|binding|_linkedBinding|_load|_compile|_extensions|eval|Function|execScript|importScripts|Worker|SharedWorker|WebAssembly|fork|registerHooks)\b|\bimport\.meta\.(?:resolve|glob)|\bmodule\s*\.\s*(?:register|constructor)|\.\s*constructor\b|\[\s*["'`]constructor|\b(?:globalThis|global|process|module)\s*(?:\?\.\s*)?\[|\bReflect\b/;
const OPEN_MODULES =
  /^(?:node:)?(?:module|child_process|worker_threads|cluster|vm|repl|inspector|wasi)(?:\/|$)/;
const ESCAPE = /\\u(?:\{([\da-f]{1,6})\}|([\da-f]{4}))/gi;

export function importsOf(text: string): ModuleImports {
  const required = [...text.matchAll(REQUIRED)].map(
    ([, ...forms]) => forms.find((form) => form !== undefined) ?? '',
  );
  const { names, isRead } = imported(text);
  const specifiers = [...new Set([...names, ...required])];
  // An identifier may be written with escapes.
  const rest = text
    .replace(REQUIRED, '')
    .replace(ESCAPE, (written, long, short) => character(long ?? short) ?? written);
  return { specifiers, isCertain: isRead && !OPEN.test(rest) && specifiers.every(isPlain) };
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
  if (isBuiltin(specifier)) return !OPEN_MODULES.test(specifier);
  return (
    /^\.{1,2}(?:\/|$)|^@?[\w-][\w.~-]*(?:\/|$)/.test(specifier) && !/^[a-z][a-z0-9+.-]*:/i.test(specifier)
  );
}

function character(hex: string): string | undefined {
  const code = Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
