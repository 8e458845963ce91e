import { endOfString } from './json-bounds.ts';

const [QUOTE, COLON, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA] = [
  0x22, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c,
] as const;

/**
 * The first key that one object of a JSON text has twice, as a dotted path: whoever reads the text keeps one of its
 * values, and which one differs (RFC 8259, section 4). Undefined where there is none.
 * @param isMeant of keys of other paths nothing is said
 */
export function doubledKey(
  text: string,
  isMeant: (path: string) => boolean = () => true,
): string | undefined {
  /** Of each object that is open, its keys; of each list, nothing. */
  const open: (Set<string> | undefined)[] = [];
  const path: (string | number)[] = [];
  let lastString = '';
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const depth = open.length - 1;
    if (code === QUOTE) {
      const end = endOfString(text, at);
      // A value is none of the keys, and may be long.
      if (open[depth] !== undefined) lastString = text.slice(at + 1, end);
      at = end;
    } else if (code === OPEN) {
      open.push(new Set());
      path.push('');
    } else if (code === OPEN_LIST) {
      open.push(undefined);
      path.push(0);
    } else if (code === CLOSE || code === CLOSE_LIST) {
      open.pop();
      path.pop();
    } else if (code === COLON) {
      const key = keyOf(lastString);
      path[depth] = key;
      const keys = open[depth];
      if (keys?.has(key) && isMeant(path.join('.'))) return path.join('.');
      keys?.add(key);
    } else if (code === COMMA) {
      const last = path[depth];
      if (typeof last === 'number') path[depth] = last + 1;
    }
  }
  return undefined;
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
