import type { Place } from './fault-places.ts';

/** What is wrong with a text as JSON, in JSON's own words; undefined for JSON. */
export function jsonFault(text: string): { readonly message: string; readonly place: Place } | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const words = (error as Error).message;
    const offset = Number(/at position (\d+)/.exec(words)?.[1] ?? endOfJson(text));
    // Without the piece of the file that some of V8's messages show instead of a position.
    const message = words.split(/(?: in JSON)? at position \d|, (?:\.{3})?"/, 1)[0] ?? words;
    const before = text.slice(0, offset).split('\n');
    return { message, place: { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 } };
  }
}

const TOKEN =
  /[ \t\r\n]*([{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** What may come: a value, a value or the end of an empty list, and so on. */
type Awaited = 'value' | 'item' | 'key' | 'member' | 'colon' | 'next';

/** Where a text that is no JSON stops being the beginning of one. */
function endOfJson(text: string): number {
  const open: string[] = [];
  let awaited: Awaited = 'value';
  let end = 0;
  for (;;) {
    TOKEN.lastIndex = end;
    const token = TOKEN.exec(text)?.[1];
    const next: Awaited | undefined = token === undefined ? undefined : after(token, awaited, open);
    if (next === undefined) return end + (/^[ \t\r\n]*/.exec(text.slice(end))?.[0].length ?? 0);
    awaited = next;
    end = TOKEN.lastIndex;
  }
}

/** @returns what may come after a token; undefined where the token may not stand there */
function after(token: string, awaited: Awaited, open: string[]): Awaited | undefined {
  const inside = open.at(-1);
  if (awaited === 'colon') return token === ':' ? 'value' : undefined;
  if (awaited === 'next' && token === ',' && inside) return inside === '{' ? 'key' : 'value';
  const mayEnd = awaited === 'next' || awaited === (inside === '{' ? 'member' : 'item');
  if (mayEnd && ((token === '}' && inside === '{') || (token === ']' && inside === '['))) {
    open.pop();
    return 'next';
  }
  if (awaited === 'key' || awaited === 'member') return token.startsWith('"') ? 'colon' : undefined;
  if (awaited === 'next' || /^[}\],:]$/.test(token)) return undefined;
  if (token !== '{' && token !== '[') return 'next';
  open.push(token);
  return token === '{' ? 'member' : 'item';
}
