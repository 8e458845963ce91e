import { evaluate, type Scope } from './evaluate.ts';
import type { Expression } from './expression.ts';
import { parseTokens } from './parse.ts';
import { readTokens } from './tokens.ts';
import { isRecord, textOf, type Value } from './values.ts';
import { Work } from './work.ts';

const OPEN = '${{';

/** A text of a workflow file: itself, expressions, and both by turns. */
export type Part = string | Expression;

/**
 * The parts of a text. What an expression's `at` counts from is the whole text.
 * @throws {ExpressionFault} for the first expression that can't be read
 */
export function parseText(text: string): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf(OPEN, from);
    if (open === -1) break;
    if (open > from) parts.push(text.slice(from, open));
    const { tokens, end } = readTokens(text, open + OPEN.length, true);
    parts.push(parseTokens(tokens));
    from = end;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** The one expression that a text is, with at most white space around it. */
export function aloneIn(parts: readonly Part[]): Expression | undefined {
  const [only, ...more] = parts.filter((part) => typeof part !== 'string' || part.trim() !== '');
  return typeof only === 'object' && more.length === 0 ? only : undefined;
}

/**
 * Makes a value of a workflow file out of a scope, as often as asked.
 * @param work of several that are filled together; each has its own by default
 */
export type Filled = (scope: Scope, work?: Work) => Value;

/**
 * A value whose texts hold expressions. One that stands alone keeps its type, one among other text becomes
 * text.
 * @throws {ExpressionFault}
 */
export function template(value: Value): Filled {
  if (typeof value === 'string') return textTemplate(parseText(value));
  if (Array.isArray(value)) {
    const items = value.map(template);
    return (scope, work = new Work()) => items.map((fill) => fill(scope, work));
  }
  if (!isRecord(value)) return () => value;
  const members = Object.entries(value).map(([key, member]) => [key, template(member)] as const);
  return (scope, work = new Work()) =>
    Object.fromEntries(members.map(([key, fill]) => [key, fill(scope, work)]));
}

function textTemplate(parts: readonly Part[]): Filled {
  if (parts.every((part) => typeof part === 'string')) return () => parts.join('');
  const alone = aloneIn(parts);
  if (alone) {
    return (scope, work = new Work()) => {
      const value = evaluate(alone, scope, work);
      // Where it stands several times, it is written as often.
      work.weigh(value, alone.at);
      return value;
    };
  }
  return (scope, work = new Work()) => {
    const texts: string[] = [];
    for (const part of parts) {
      if (typeof part === 'string') {
        texts.push(part);
        continue;
      }
      const value = evaluate(part, scope, work);
      work.weigh(value, part.at);
      texts.push(textOf(value));
    }
    return texts.join('');
  };
}
