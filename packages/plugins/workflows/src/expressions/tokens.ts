// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written like that
import { ExpressionFault } from './expression.ts';
import { isKept, WOULD_BE_ROUNDED } from './rounded.ts';

export type Token = { readonly at: number } & (
  | { readonly type: 'name'; readonly text: string }
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'mark'; readonly text: string }
  | { readonly type: 'end' }
);

/** Longer ones first. */
const MARKS = ['||', '&&', '==', '!=', '<=', '>=', '<', '>', '!', '?', ':', '(', ')', '[', ']', ',', '.'];

const SPACE = /[ \t\r\n]*/y;
const NAME = /[A-Za-z_][A-Za-z0-9_-]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** An expression that is longer is none that anybody could read. */
const MAX_CHARS = 2_000;
/** What helps against one that is too large. */
export const SPLIT = 'have an earlier step work a part of it out';

export interface Tokens {
  readonly tokens: readonly Token[];
  /** Behind the `}}` that closes it. */
  readonly end: number;
}

/**
 * The words of an expression, up to the `}}` that closes it where `isOpen`, else to the end of the text.
 * @throws {ExpressionFault}
 */
export function readTokens(source: string, from = 0, isOpen = false): Tokens {
  const tokens: Token[] = [];
  let at = from;
  for (;;) {
    at = matchAt(SPACE, source, at)?.end ?? at;
    if (at - from > MAX_CHARS) {
      throw new ExpressionFault(`an expression has at most ${MAX_CHARS} characters; ${SPLIT}`, from);
    }
    if (isOpen && source.startsWith('}}', at)) {
      tokens.push({ type: 'end', at });
      return { tokens, end: at + 2 };
    }
    if (at >= source.length) {
      if (isOpen) throw new ExpressionFault('`${{` is not closed; write `}}` after the expression', from);
      tokens.push({ type: 'end', at });
      return { tokens, end: at };
    }
    const { token, end } = readToken(source, at);
    tokens.push(token);
    at = end;
  }
}

function readToken(source: string, at: number): { token: Token; end: number } {
  const name = matchAt(NAME, source, at);
  if (name) return { token: { type: 'name', text: name.text, at }, end: name.end };
  const number = matchAt(NUMBER, source, at);
  if (number) return { token: { type: 'number', value: finite(number.text, at), at }, end: number.end };
  if (source[at] === "'") return readText(source, at);
  const mark = MARKS.find((each) => source.startsWith(each, at));
  if (mark !== undefined) return { token: { type: 'mark', text: mark, at }, end: at + mark.length };
  const found = String.fromCodePoint(source.codePointAt(at) ?? 0);
  const hint =
    found === '"'
      ? "texts stand in single quotes: 'like this'"
      : 'an expression has names, numbers, texts in single quotes, comparisons, && || ! ? : and functions';
  throw new ExpressionFault(`${JSON.stringify(found)} means nothing here; ${hint}`, at);
}

function finite(text: string, at: number): number {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new ExpressionFault(`${text} is too large a number`, at);
  if (!isKept(text, value)) throw new ExpressionFault(`${text} ${WOULD_BE_ROUNDED}`, at);
  return value === 0 ? 0 : value;
}

/** A quote inside is doubled. */
function readText(source: string, at: number): { token: Token; end: number } {
  const parts: string[] = [];
  let from = at + 1;
  for (;;) {
    const quote = source.indexOf("'", from);
    if (quote === -1) {
      throw new ExpressionFault("the text is not closed; write ' at its end, and '' for a quote in it", at);
    }
    parts.push(source.slice(from, quote));
    if (source[quote + 1] !== "'") {
      return { token: { type: 'text', value: parts.join("'"), at }, end: quote + 1 };
    }
    from = quote + 2;
  }
}

function matchAt(pattern: RegExp, source: string, at: number) {
  pattern.lastIndex = at;
  const found = pattern.exec(source);
  return found && { text: found[0], end: at + found[0].length };
}
