import { PatternFault } from './pattern-fault.ts';

/** A part of a glob. */
export type GlobToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'one' | 'many' | 'folders' | 'below' | 'everything' | 'open' | 'or' }
  | { readonly kind: 'class'; readonly isNegated: boolean; readonly members: string }
  | { readonly kind: 'close'; readonly repeats: '' | '?' | '*' | '+' }
  | { readonly kind: 'range'; readonly from: number; readonly to: number };

/** What may be one part, tried in this order at each place; sticky, and none can backtrack. */
const PARTS = {
  escape: /\\([\s\S])/y,
  class: /\[([!^]?)(\]?(?:\\[\s\S]|[^\]\\])*)\]/y,
  range: /\{(-?\d{1,9})\.\.(-?\d{1,9})\}/y,
  extended: /([@?*+!])\(/y,
  stars: /\*+/y,
} as const;

interface Open {
  /** Where in the tokens it stands, and where its `,` or `|` do. */
  readonly at: number;
  readonly separators: number[];
  readonly closer: '}' | ')';
  readonly repeats: '' | '?' | '*' | '+';
}

/** Reads a glob from left to right, once. What is opened and not closed stands for itself. */
export function readGlob(glob: string, separator: string): GlobToken[] {
  const tokens: GlobToken[] = [];
  const open: Open[] = [];
  let at = 0;
  const take = (part: keyof typeof PARTS): RegExpExecArray | undefined => {
    const pattern = PARTS[part];
    pattern.lastIndex = at;
    const found = pattern.exec(glob);
    if (!found) return undefined;
    at += found[0].length;
    return found;
  };
  const text = (written: string) => void tokens.push({ kind: 'text', text: written });

  while (at < glob.length) {
    const escaped = take('escape');
    if (escaped) {
      text(escaped[1] ?? '');
      continue;
    }
    const inClass = take('class');
    if (inClass) {
      tokens.push({ kind: 'class', isNegated: inClass[1] !== '', members: inClass[2] ?? '' });
      continue;
    }
    const range = take('range');
    if (range) {
      tokens.push({ kind: 'range', from: Number(range[1]), to: Number(range[2]) });
      continue;
    }
    const extended = take('extended');
    if (extended) {
      if (extended[1] === '!') throw new PatternFault(glob, 'has !(…), which is not supported');
      open.push({ at: tokens.length, separators: [], closer: ')', repeats: repeatsOf(extended[1]) });
      text(extended[0]);
      continue;
    }
    const stars = take('stars');
    if (stars) {
      tokens.push(starsAt({ glob, from: at - stars[0].length, to: at, separator }));
      if (tokens.at(-1)?.kind === 'folders') at += separator.length;
      // The separator before `/**` belongs to it.
      if (tokens.at(-1)?.kind === 'below') tokens.splice(-2, 1);
      continue;
    }
    const character = glob.slice(at, at + 1);
    at += 1;
    const innermost = open.at(-1);
    if (character === '?') tokens.push({ kind: 'one' });
    else if (character === '{') {
      open.push({ at: tokens.length, separators: [], closer: '}', repeats: '' });
      text(character);
    } else if (innermost && character === (innermost.closer === '}' ? ',' : '|')) {
      innermost.separators.push(tokens.length);
      text(character);
    } else if (innermost && character === innermost.closer) {
      open.pop();
      close(tokens, innermost);
    } else text(character);
  }
  return tokens;
}

function repeatsOf(character: string | undefined): Open['repeats'] {
  return character === '?' || character === '*' || character === '+' ? character : '';
}

/** Only now is it known that what was opened is a group; `{a}` without a comma is none. */
function close(tokens: GlobToken[], { at, separators, closer, repeats }: Open): void {
  if (closer === '}' && separators.length === 0) {
    tokens.push({ kind: 'text', text: '}' });
    return;
  }
  tokens[at] = { kind: 'open' };
  for (const separator of separators) tokens[separator] = { kind: 'or' };
  tokens.push({ kind: 'close', repeats });
}

/** `**` alone in its segment crosses segments; any other run of stars is one. */
function starsAt({
  glob,
  from,
  to,
  separator,
}: {
  readonly glob: string;
  readonly from: number;
  readonly to: number;
  readonly separator: string;
}): GlobToken {
  if (separator === '' || to - from < 2) return { kind: 'many' };
  const begins = from === 0 || glob.startsWith(separator, from - 1);
  if (!begins) return { kind: 'many' };
  if (glob.startsWith(separator, to)) return { kind: 'folders' };
  if (to < glob.length) return { kind: 'many' };
  return { kind: from === 0 ? 'everything' : 'below' };
}
