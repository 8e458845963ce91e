import { endOfString } from './json-bounds.ts';

/** Where a number may stand that is not kept as it was written, or a text that looks like it. */
const MAY_BE_ROUNDED = /(?:^|[:[,])\s*-?(?:\d{16}|\d[\d.]*[eE]\+?\d{3})/;
const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;
/** Enough to see what they are. */
const MAX_PATHS = 20;

/**
 * Where a JSON text holds integers that JavaScript's numbers round (RFC 8259, section 6), or numbers that they have no
 * room for; dotted paths, at most twenty. Any other text is told by one regular expression.
 */
export function roundedNumbers(text: string): string[] {
  if (!MAY_BE_ROUNDED.test(text)) return [];
  const found: string[] = [];
  /** Of each object or array that is open, the key or index of what is read. */
  const path: (string | number)[] = [];
  let lastString: string | undefined;
  for (let at = 0; at < text.length && found.length < MAX_PATHS; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = endOfString(text, at);
      lastString = text.slice(at + 1, end);
      at = end;
    } else if (char === '{') path.push('');
    else if (char === '[') path.push(0);
    else if (char === '}' || char === ']') path.pop();
    else if (char === ':') path[path.length - 1] = lastString ?? '';
    else if (char === ',') {
      const last = path.at(-1);
      if (typeof last === 'number') path[path.length - 1] = last + 1;
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      NUMBER.lastIndex = at;
      const [written = char, fraction, exponent] = NUMBER.exec(text) ?? [];
      if (isRounded(written, fraction === undefined && exponent === undefined)) found.push(path.join('.'));
      at += written.length - 1;
    }
  }
  return found;
}

/**
 * Whether it would be passed on as another number: JavaScript writes the shortest one that it reads as the same, which
 * for 2 ** 60 is not that. What it wrote itself is what it reads.
 */
function isRounded(written: string, isInteger: boolean): boolean {
  const value = Number(written);
  if (!Number.isFinite(value)) return true;
  if (!isInteger || Number.isSafeInteger(value)) return false;
  return String(value) !== written;
}
