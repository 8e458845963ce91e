/**
 * Whether a text asks for a member by a key that may be put together, such as `f['con' + 'structor']`, or asks one of
 * JavaScript's globals for a member by anything but a plain text: by either a script reaches what no word of it names.
 * A key that is one name, a number, or one of plain texts is none of it, since lists are read like that.
 */
export function hasOpenKey(text: string): boolean {
  let steps = text.length * STEPS_PER_CHAR + LOOK_AHEAD;
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) {
    const start = withoutBlanks(text, at);
    steps -= at - start;
    const before = withoutComments(text.slice(Math.max(0, start - LOOK_BACK), start)).trimEnd();
    if (!isKeyed(before) && !isUnseen(before, start)) continue;
    const end = endOfKey(text, at + 1, Math.min(LOOK_AHEAD, steps));
    if (end === undefined) return true; // nobody has seen what key it is
    steps -= end - at;
    const key = withoutComments(text.slice(at + 1, end));
    if (isPlain(key)) continue;
    if (/[{,]$/.test(before) && !/^\s*:/.test(withoutComments(text.slice(end + 1, end + LOOK_BACK))))
      continue;
    if (/[+(.'"`]/.test(key) && isPutTogether(key)) return true;
    if (isOfGlobal(before) && !OF_DATA.test(before)) return true;
  }
  return false;
}

const LOOK_BACK = 120;
const LOOK_AHEAD = 20_000;
/** Of all looks together, so that a text of brackets alone costs no more than one of words. */
const STEPS_PER_CHAR = 20;

/** Words after which an expression begins: what stands in brackets there is a list. */
const EXPRESSION_FOLLOWS =
  /(?:^|[^\w$.])(?:return|typeof|instanceof|in|of|new|delete|void|throw|case|do|else|yield|await|default|extends|const|let|var|as|satisfies)$/;
/** The end of what has members, or of what begins a key of an object or pattern. */
const KEYED = /(?:[\w$)\]}"'`/{,]|\?\.)$/;
/** What code is reached from by a key, and is no member of anything else. */
const GLOBAL =
  /^(?:Object|Array|String|Number|Boolean|BigInt|Symbol|Date|RegExp|Promise|Proxy|(?:Weak)?(?:Map|Set)|Error|Math|JSON|Intl|Atomics|Buffer|URL|console|performance|crypto|navigator|fetch|structuredClone|queueMicrotask|set(?:Timeout|Interval|Immediate)|self|window|frames|process)$/;
const OF_DATA = /\bprocess\s*\??\.\s*(?:env|argv|versions|release)\s*(?:\?\.)?$/;
/** Calls that give a number. */
const NUMBERED =
  /(?:\bMath\s*\.\s*\w+|\bNumber|\bparseInt|\.\s*(?:indexOf|lastIndexOf|findIndex|charCodeAt))\s*\(/g;

const TEXTS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/gs;

function isKeyed(before: string): boolean {
  return KEYED.test(before) && !EXPRESSION_FOLLOWS.test(before.slice(-12));
}

/** Whether what stands before is a comment, to its end or as far as is looked. */
function isUnseen(before: string, start: number): boolean {
  return before === '' ? start > LOOK_BACK : before.slice(before.lastIndexOf('\n') + 1).includes('//');
}

function withoutBlanks(text: string, from: number): number {
  let at = from;
  while (at > 0 && /\s/.test(text.charAt(at - 1))) at -= 1;
  return at;
}

/** Where the brackets end; undefined where that is nowhere near. */
function endOfKey(text: string, from: number, steps: number): number | undefined {
  let depth = 0;
  let quote: string | undefined;
  const end = Math.min(text.length, from + steps);
  for (let at = from; at < end; at += 1) {
    const char = text.charAt(at);
    if (quote !== undefined) {
      if (char === '\\') at += 1;
      else if (char === quote) quote = undefined;
    } else if (char === '"' || char === "'" || char === '`') quote = char;
    else if (char === '/' && text.charAt(at + 1) === '*') {
      const close = text.indexOf('*/', at + 2);
      if (close < 0) return undefined;
      at = close + 1;
    } else if (char === '[') depth += 1;
    else if (char === ']') {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return undefined;
}

/** Of texts with escapes or pieces, by `+` without a number beside it, or by a call that may give a text. */
function isPutTogether(key: string): boolean {
  if ((key.match(TEXTS) ?? []).some((text) => /\\|^`.*\$\{/s.test(text))) return true;
  // It may be a class of a pattern, too, where a backslash makes no text.
  const read = key.replace(TEXTS, '""').replace(/\\./g, ' ').replace(NUMBERED, ' ');
  const sums = read.replace(/\+\+|[\w$.)\]]\s*\+\s*\d+\b|\b\d+\s*\+\s*(?!")/g, ' ');
  return /[\w$)\]"]\s*\+\s*[\w$(["]/.test(sums) || /[\w$)\]"]\s*(?:\?\.\s*)?\(.*\)|""\s*\./s.test(read);
}

function isPlain(key: string): boolean {
  return /^(?:\d+|"[^"\\]*"|'[^'\\]*'|`[^`\\$]*`)?$/.test(key.trim());
}

/** Whether what has the members begins with a global: `Math`, `(Math)`, `console.log`. */
function isOfGlobal(before: string): boolean {
  const chain = before.endsWith(')') ? before.slice(0, -1) : before;
  for (const part of chain.split('.').reverse()) {
    const name = part.replaceAll('?', '').trim();
    const last = /[^\w$]/.test(name) ? name.split(/[^\w$]/).at(-1) : undefined;
    if (last !== undefined) return GLOBAL.test(last);
    if (GLOBAL.test(name)) return true;
  }
  return false;
}

function withoutComments(text: string): string {
  return text.includes('/*') ? text.replace(/\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\//g, ' ') : text;
}
