import { endOfString } from './json-bounds.ts';

/**
 * Where a number may stand that is not kept as it was written, or a text that looks like it: sixteen digits before a
 * fraction or an exponent, more than seventeen in all, or an exponent of three.
 */
const MAY_BE_ROUNDED =
  /(?:^|[:[,])\s*-?(?:\d{16}|0\.0*[1-9]\d{17}|[1-9][\d.]{18}|\d[\d.]{15,}[eE]|\d[\d.]*[eE][+-]?\d{3})/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Enough to see what they are. */
const MAX_PATHS = 20;

/**
 * Where a JSON text holds numbers that JavaScript's round (RFC 8259, section 6): integers, numbers of more digits than
 * those have, and such as they have no room for; dotted paths, the first twenty of those that are meant. Most texts are
 * told by one regular expression.
 */
export function roundedNumbers(text: string, isMeant: (path: string) => boolean = () => true): string[] {
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
    else if (char === ':') path[path.length - 1] = keyOf(lastString ?? '');
    else if (char === ',') {
      const last = path.at(-1);
      if (typeof last === 'number') path[path.length - 1] = last + 1;
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      NUMBER.lastIndex = at;
      const [written = char] = NUMBER.exec(text) ?? [];
      at += written.length - 1;
      if (!isRounded(written)) continue;
      const where = path.join('.');
      if (isMeant(where)) found.push(where);
    }
  }
  return found;
}

/** Of a text that is no JSON there may be such as are none. */
function keyOf(written: string): string {
  if (!written.includes('\\')) return written;
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    return written;
  }
}

/** As many digits tell every number of 64 bits from all others; what writes such numbers needs no more. */
const DIGITS_OF_DOUBLE = 17;

/**
 * Whether it would be passed on as another number: JavaScript writes the shortest one that it reads as the same, which
 * for 2 ** 60 is not that. What it wrote itself is what it reads, and so is what others wrote of a number of 64 bits,
 * in up to seventeen digits; an integer is more than that, unless it has an exponent that makes it one of those.
 */
export function isRounded(written: string): boolean {
  const value = Number(written);
  const own = decimalOf(written);
  if (!Number.isFinite(value)) return true;
  if (isSame(own, decimalOf(String(value)))) return false;
  if (value === 0 || own.digits.length > DIGITS_OF_DOUBLE) return true;
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false;
  if (!/[eE]/.test(written)) return true;
  return Math.abs(value) < 10 ** DIGITS_OF_DOUBLE && !isSame(own, decimalOf(String(BigInt(value))));
}

/** `digits * 10 ** exponent`, without a nought at either end. */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

function decimalOf(written: string): Decimal {
  const [mantissa = '', exponent = '0'] = written.replace(/^-/, '').split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  let start = 0;
  let end = all.length;
  while (start < end && all.charAt(start) === '0') start += 1;
  while (end > start && all.charAt(end - 1) === '0') end -= 1;
  if (start === end) return { digits: '', exponent: 0 };
  return { digits: all.slice(start, end), exponent: Number(exponent) - fraction.length + (all.length - end) };
}

function isSame(one: Decimal, other: Decimal): boolean {
  return one.digits === other.digits && one.exponent === other.exponent;
}
