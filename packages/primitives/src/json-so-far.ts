import { endOfString } from './json-bounds.ts';

/** A number or a word of JSON. */
const LITERAL = /(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/**
 * Whether a text is JSON as far as that is nested: to its end, or to where it has more lists and objects in each other.
 * Of one that ends too early, yes; of one that goes on after its value, no. Texts in it are not looked into.
 */
export function isJsonSoFar(text: string, maxDepth: number): boolean {
  const open: string[] = [];
  /** What may come next: a value, or a name, or what goes on or closes. */
  let next: 'value' | 'first' | 'name' | 'colon' | 'more' | 'end' = 'value';
  const after = () => (open.length === 0 ? 'end' : 'more');
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === ' ' || char === '\n' || char === '\r' || char === '\t') continue;
    const around = open.at(-1);
    if ((char === ']' || char === '}') && (next === 'first' || next === 'more')) {
      if (around !== char) return false;
      open.pop();
      next = after();
    } else if (next === 'more') {
      if (char !== ',') return false;
      next = around === '}' ? 'name' : 'value';
    } else if (next === 'colon') {
      if (char !== ':') return false;
      next = 'value';
    } else if (next === 'end') return false;
    else if (around === '}' && next !== 'value') {
      if (char !== '"') return false;
      at = endOfString(text, at);
      next = 'colon';
    } else if (char === '[' || char === '{') {
      if (open.push(char === '[' ? ']' : '}') > maxDepth) return true;
      next = 'first';
    } else {
      const end = char === '"' ? endOfString(text, at) : endOfLiteral(text, at);
      if (end === undefined) return false;
      at = end;
      next = after();
    }
  }
  return true;
}

/** Its last character; nothing where there is none. */
function endOfLiteral(text: string, at: number): number | undefined {
  LITERAL.lastIndex = at;
  return LITERAL.test(text) ? LITERAL.lastIndex - 1 : undefined;
}
