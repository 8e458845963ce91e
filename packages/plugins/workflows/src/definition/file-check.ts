// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written like that
import { ExpressionFault } from '../expressions/expression.ts';
import { aloneIn, type Part, parseText } from '../expressions/template.ts';
import { isRecord } from '../expressions/values.ts';
import type { Fault, Path } from './fault.ts';
import { checkNames, type NameFault, type Names } from './names.ts';
import type { Source } from './source.ts';

/** Collects what is wrong with the expressions of a file. */
export class FileCheck {
  readonly source: Source;
  readonly faults: Fault[] = [];

  constructor(source: Source) {
    this.source = source;
  }

  add(path: Path, message: string): void {
    this.faults.push(this.source.fault(path, message));
  }

  /** Every text of a value. @returns the steps or nodes that they name */
  value(value: unknown, path: Path, names: Names): readonly string[] {
    if (typeof value === 'string') return this.#text(value, path, names).named;
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, member]) =>
      this.value(member, [...path, Array.isArray(value) ? Number(key) : key], names),
    );
  }

  /** A text that must be one expression, where it is a text at all. */
  expression(value: unknown, path: Path, names: Names): readonly string[] {
    if (typeof value !== 'string') return this.value(value, path, names);
    const { parts, named } = this.#text(value, path, names);
    if (parts && !aloneIn(parts)) this.add(path, 'must be one expression and nothing beside it: ${{ … }}');
    return named;
  }

  #text(
    text: string,
    path: Path,
    names: Names,
  ): { parts: readonly Part[] | undefined; named: readonly string[] } {
    try {
      const parts = parseText(text);
      const found: NameFault[] = [];
      const named = parts.flatMap((part) => (typeof part === 'string' ? [] : checkNames(part, names, found)));
      for (const { message, at } of found) this.faults.push(this.source.fault(path, message, at));
      return { parts, named };
    } catch (error) {
      if (!(error instanceof ExpressionFault)) throw error;
      this.faults.push(this.source.fault(path, error.message, error.at));
      return { parts: undefined, named: [] };
    }
  }
}

/** The members of a list that are objects, with where they stand; what else is in it is a fault of shape. */
export function recordsOf(
  value: unknown,
): { readonly each: Readonly<Record<string, unknown>>; readonly index: number }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown, index) => (isRecord(each) ? [{ each, index }] : []));
}

/** Whether a text holds an expression anywhere in a value. */
export function hasExpression(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('${{');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}
