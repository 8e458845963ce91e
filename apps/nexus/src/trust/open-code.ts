import { hasOpenKey } from './computed-keys.ts';
import { listsModule } from './listed-modules.ts';

/**
 * Whether a script may load or run something that none of its imports names. Told by its text, comments and all, since
 * only a whole parser knows them from code: a name counts wherever it can stand as code does, and what is certain is a
 * short list. All else is said to be more.
 */
export function mayRunMore(text: string): boolean {
  const written = withoutEscapes(text);
  const read = written.replace(PLAIN, ' ');
  return (
    listsModule(written) ||
    ODD_IMPORT.test(read) ||
    [...read.matchAll(RUNS_CODE)].some(({ 0: name, index }) => isCode(placeOf(read, name, index), name)) ||
    [...read.matchAll(GROUND)].some(({ 0: name, index }) => isOpenGround(placeOf(read, name, index), name)) ||
    hasOpenKey(text, written)
  );
}

/** What is common, and certain. */
const PLAIN =
  /\brequire\s*\.\s*main\s*[!=]==?\s*module\b|\.\s*constructor\s*\.\s*name\b|\bimport\s*\.\s*meta\s*\.\s*(?:url|dirname|filename|main)\b|["'](?:node:)?process["']/g;
/** `import.meta.resolve` and its like, and phases of imports. */
const ODD_IMPORT = /\bimport\s*(?:\/[*/][\s\S]*?)?\./;
/** By these a program runs what it has as text, or loads what it has the name of. */
const RUNS_CODE =
  /\b(?:eval|Function|constructor|getBuiltinModule|createRequire|mainModule|dlopen|binding|_linkedBinding|_load|_compile|_extensions|execScript|importScripts|Worker|SharedWorker|WebAssembly|fork|execve|registerHooks|setEngine|clientCertEngine|privateKeyEngine|Reflect|species|getOwnPropertyDescriptors?|__lookup[GS]etter__|Bun|Deno)\b/g;
/** What all of these are reached from. */
const GROUND = /\b(?:require|module|process|globalThis|global|arguments|this)\b/g;
/** Of `process`, what runs nothing. */
const OF_PROCESS =
  /^\s*\??\.\s*(?:argv0?|arch|env|exit|exitCode|cwd|chdir|stdin|stdout|stderr|on|once|off|emit|addListener|removeListener|removeAllListeners|listenerCount|emitWarning|nextTick|platform|pid|ppid|versions?|release|hrtime|memoryUsage|cpuUsage|uptime|kill|title|execPath|execArgv|umask|get[eug]+id)\b/;
/** Words after which an expression begins; after any other stands no name on the same line. */
const OPERATORS =
  'return|typeof|instanceof|in|of|new|delete|void|throw|case|do|else|yield|await|default|extends|const|let|var|as|satisfies';
const OPERATOR = new RegExp(`^(?:${OPERATORS})$`);

interface NamePlace {
  readonly before: string;
  readonly after: string;
}

/** As much of it as any rule here looks at. */
function placeOf(text: string, name: string, index: number): NamePlace {
  const end = index + name.length;
  return { before: text.slice(Math.max(0, index - 2_000), index), after: text.slice(end, end + 200) };
}

/** Not where it is a piece of a longer name, or stands between words as in a sentence. */
function stands({ before, after }: NamePlace): boolean {
  if (/[$#]$/.test(before) || after.startsWith('$')) return false;
  const blank = /(?<![^\S\n\r\u2028\u2029])[^\S\n\r\u2028\u2029]+$/.exec(before);
  const word = blank ? /(?<![\w$])[\w$]+$/.exec(before.slice(0, blank.index))?.[0] : undefined;
  if (word !== undefined && !OPERATOR.test(word)) return false;
  const [, next] = /^[^\S\n\r\u2028\u2029]+([\w$]+)/.exec(after) ?? [];
  return next === undefined || OPERATOR.test(next);
}

function isCode(place: NamePlace, name: string): boolean {
  if (name === 'constructor' && isMethod(place)) return false;
  return stands(place);
}

/** Of a class: after a brace, a semicolon or a modifier, comments left out. */
function isMethod({ before, after }: NamePlace): boolean {
  if (!/^\s*\(/.test(after)) return false;
  let left = before.trimEnd();
  for (let cut = withoutComment(left); cut !== left; cut = withoutComment(left)) left = cut;
  return /[{};]$|[{};]\s*(?:public|private|protected)$/.test(left);
}

function withoutComment(text: string): string {
  const start = text.endsWith('*/') ? text.lastIndexOf('/*') : -1;
  if (start >= 0) return text.slice(0, start).trimEnd();
  return text.replace(/(?:^|\n)[^\S\n]*\/\/[^\n]*$/, '').trimEnd();
}

function isOpenGround(place: NamePlace, name: string): boolean {
  const { before, after } = place;
  // Only what it is asked for by a name that is put together can be anything.
  if (name === 'this') return /^\s*(?:\?\.\s*)?\[(?!\s*(?:\d+|"[^"\\]*"|'[^'\\]*')\s*\])/.test(after);
  if (!stands(place) || isMember(before)) return false;
  if (/\btypeof\s+$/.test(before) && !/^\s*(?:[.([]|\?\.)/.test(after)) return false;
  if (/[{,]\s*$/.test(before) && /^\s*:/.test(after)) return false; // a key
  switch (name) {
    case 'require':
      return !/^\s*\(\s*(?:"[^"\\\n]*"|'[^'\\\n]*'|`[^`\\$\n]*`)\s*\)/.test(after);
    case 'module':
      return !/^\s*(?:\.\s*exports\b|\()/.test(after);
    case 'process':
      return !OF_PROCESS.test(after) && !/^\s*\(/.test(after);
    default:
      return true;
  }
}

/** `a.process`, and no `...process`. */
function isMember(before: string): boolean {
  return /(?:^|[^.])\.\s*$/.test(before);
}

/** A name, or a key, may be written with escapes. */
export function withoutEscapes(text: string): string {
  return text.replace(
    /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/gi,
    (written, long, short, byte) => character(long ?? short ?? byte) ?? written,
  );
}

function character(hex: string): string | undefined {
  const code = Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
