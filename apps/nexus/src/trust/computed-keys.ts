import { isInComment } from './in-comment.ts';
import { isPlainKey } from './plain-keys.ts';
import { WordPlaces } from './word-places.ts';

/**
 * Whether a text reads a member by a key that is no plain text and no number, such as `f[key]` or `{ [key]: one } = f`:
 * with a key that was put together elsewhere that is any member, and from a function all code is reached. What becomes
 * of the member is not asked: there are more ways to hand one on than a list can have.
 * @param text as it is written
 * @param read the same with its escapes read, as names have them
 */
export function hasOpenKey(text: string, read: string): boolean {
  if (hasEscapedKey(text)) return true;
  const places = new WordPlaces(read);
  let steps = text.length * STEPS_PER_CHAR + LOOK_AHEAD;
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) {
    const start = withoutBlanks(text, at);
    steps -= at - start;
    const before = withoutComments(text.slice(Math.max(0, start - LOOK_BACK), start)).trimEnd();
    if (!isKeyed(before) && !isUnseen(before, start)) continue;
    const end = endOfKey(text, at + 1, Math.min(LOOK_AHEAD, steps));
    if (end === undefined) return true; // nobody has seen what key it is
    steps -= end - at;
    if (isPlainKey(withoutComments(text.slice(at + 1, end)), places)) continue;
    const after = withoutComments(text.slice(end + 1, end + LOOK_BACK)).replace(LINE_COMMENT, ' ');
    if (isRead(before, after) && !isInComment(text, at)) return true;
  }
  return false;
}

const LINE_COMMENT = /\/\/[^\n\r\u2028\u2029]*/g;
const LOOK_BACK = 120;
const LOOK_AHEAD = 20_000;
/** Of all looks together, so that a text of brackets alone costs no more than one of words. */
const STEPS_PER_CHAR = 20;

/** Words after which an expression begins, and which are no names: what stands in brackets there is a list. */
const EXPRESSION_FOLLOWS =
  /(?:^|[^\w$.#\u0080-\uffff])(?:return|typeof|instanceof|in|new|delete|void|throw|case|do|else|default|extends|const|var)$/;
/** `a of [`, `a as [`: not where it is a name, which stands after no other word on its line. */
const BETWEEN =
  /(?:[^\w$.#\u0080-\uffff](?!(?:return|typeof|instanceof|in|new|delete|void|throw|case|do|else|await|yield)\b)[\w$]+|\])[^\S\n\r\u2028\u2029]{1,4}(?:of|as|satisfies)$/;
/** `let [a] = b` as a statement or in a loop; elsewhere it may be a name. */
const LET =
  /(?:[;}]|[^$]\{|\bfor\s*\(|[\w$)\]"'`](?<!\b(?:typeof|void|delete|new|in|of|return|await|yield|instanceof|case|throw))[^\S\n]*\n)\s*let$/;
/** After these no member is asked for, but for `f?.[…]`, `f![…]` of TypeScript and `1.[…]`. */
const LIST_FOLLOWS = /[[(;=:?&|^~<>+\-*%!.]$/;
const MEMBER_FOLLOWS = /(?:\?\.|[\w$)\]}"'`]\s*!|(?:^|[^.])\.)$/;

function isKeyed(before: string): boolean {
  if (before === '') return false;
  if (MEMBER_FOLLOWS.test(before)) return true;
  if (LIST_FOLLOWS.test(before)) return false;
  const lead = before.replace(/(?<![\w$])[\w$]+$/, '').trimEnd();
  if (/(?:\.|\*\/)$/.test(lead) || hasLineComment(lead)) return true;
  return !(EXPRESSION_FOLLOWS.test(before) || BETWEEN.test(before) || LET.test(before));
}

/** `[key]() {}` and `{ [key]: 1 }` make a member, `all[key] = 1` gives one; `{ [key]: one }` may be a pattern. */
function isRead(before: string, after: string): boolean {
  return /[{,]$/.test(before) ? !MADE.test(after) : !/^\s*=(?![=>])/.test(after);
}

/** After what is a list or makes a member: of values those that nothing can be assigned to. */
const MADE =
  /^\s*(?:[()\],;}.=[]|:\s*(?:(?:\d+|"[^"\\]*"|'[^'\\]*'|true|false|null)\s*[,}]|[!-]|(?:typeof|void)\b|(?:\([\w$,\s]*\)|[\w$]+)\s*=>))/;

/** A text as a key, of an object or pattern, whose escapes make it another: `{ 'con\structor': F } = f`. */
function hasEscapedKey(text: string): boolean {
  return [...text.matchAll(ESCAPED)].some(({ index }) => {
    const start = withoutBlanks(text, index);
    const before = text.slice(Math.max(0, start - LOOK_BACK), start);
    return /(?:[{,]|\*\/)$/.test(before) || isUnseen(before, start);
  });
}

const ESCAPED = /(?<![\w$)\]])(["'])(?:(?!\1)[^\\\n]){0,60}\\(?:(?!\1)[\s\S]){0,60}\1\s*(?::|\/[*/])/g;

/** Whether what stands before is a comment, to its end or as far as is looked. */
function isUnseen(before: string, start: number): boolean {
  return before === '' ? start > LOOK_BACK : hasLineComment(before);
}

/** In its last line; those of a page's script count in a script as well. */
function hasLineComment(before: string): boolean {
  return /\/\/|<!--|-->/.test(before.slice(before.lastIndexOf('\n') + 1));
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

function withoutComments(text: string): string {
  return text.includes('/*') ? text.replace(/\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\//g, ' ') : text;
}
