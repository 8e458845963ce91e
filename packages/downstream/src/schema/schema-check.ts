import { type Issue, isRecord } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import type { Patterns } from '@nexus/untrusted/patterns';
import { createBudget, TooCostly } from './budget.ts';
import { checkValue } from './check-value.ts';
import { noneEvaluated } from './evaluated.ts';
import { findReferences, type References } from './references.ts';
import {
  createMatcher,
  type Dialect,
  type Fault,
  type Place,
  type Run,
  type Scope,
  type Subject,
} from './run.ts';

/** What came of a check; `unchecked` says why not all of the schema was looked at. */
export type Checked =
  | { readonly ok: true; readonly unchecked?: string | undefined }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** What a tool's arguments are held to before they are sent. */
export interface SchemaCheck {
  check(value: unknown): Checked;
  /** Whether the schema declares this property at the top and the value fits it. */
  fits(key: string, value: unknown): boolean;
}

export interface SchemaCheckOptions {
  /** Absent where the schema has no patterns. */
  readonly patterns?: Patterns | undefined;
  /** Told once. */
  onUnusable(reason: string): void;
}

const DIALECTS: readonly [RegExp, Dialect][] = [
  [/draft-0?[34]\b/, '4'],
  [/draft-0?[67]\b/, '7'],
  [/2019-09/, '2019-09'],
];
/** The dialect of a schema that names none (MCP 2025-11-25, JSON Schema usage). */
const DEFAULT_DIALECT: Dialect = '2020-12';
/** So often a schema may cost too much to check; then it is not begun with any more. */
const MAX_TOO_COSTLY = 3;

/**
 * Interprets the schema, nothing compiled and nothing made before the first call. A schema that can't be
 * used (no schema, a `$ref` to nowhere) or that costs too much holds nothing back: its server is the judge of
 * its own arguments.
 */
export function schemaCheck(schema: Members, { patterns, onUnusable }: SchemaCheckOptions): SchemaCheck {
  const dialect = dialectOf(schema);
  let unusable: string | undefined;
  let timesTooCostly = 0;
  let prepared: Prepared | undefined;

  function giveUp(reason: string): void {
    unusable = reason;
    onUnusable(reason);
  }

  function judge(value: unknown, part: unknown): Checked {
    if (unusable !== undefined) return { ok: true, unchecked: unusable };
    try {
      prepared ??= { references: findReferences(schema), match: createMatcher(patterns), dialect };
      const run = new OneCheck(prepared);
      const subject = { value, place: undefined, scope: NO_SCOPE, evaluated: noneEvaluated(run) };
      const fits = checkValue(part, subject, run);
      if (!fits) return { ok: false, issues: toIssues(run.faults) };
      return run.isWhole ? FITS : { ok: true, unchecked: [...run.unchecked].join(' ') };
    } catch (error) {
      const reason = `The tool’s input schema ${messageOf(error)}.`;
      if (error instanceof TooCostly) timesTooCostly += 1;
      if (!(error instanceof TooCostly) || timesTooCostly === MAX_TOO_COSTLY) giveUp(reason);
      return { ok: true, unchecked: reason };
    }
  }

  return {
    check: (value) => judge(value, schema),
    fits(key, value) {
      const { properties } = schema;
      if (!isRecord(properties) || !Object.hasOwn(properties, key)) return false;
      return judge(value, properties[key]).ok;
    },
  };
}

const FITS: Checked = { ok: true };
const NO_SCOPE: Scope = [];

/** What all checks by one schema share. */
interface Prepared {
  readonly references: References;
  readonly match: ReturnType<typeof createMatcher>;
  readonly dialect: Dialect;
}

/** A class for its price: every call has one. */
class OneCheck implements Run {
  readonly references: References;
  readonly dialect: Dialect;
  readonly budget = createBudget();
  readonly faults: Fault[] = [];
  readonly #match: Prepared['match'];
  #unchecked: Set<string> | undefined;

  constructor({ references, dialect, match }: Prepared) {
    this.references = references;
    this.dialect = dialect;
    this.#match = match;
  }

  get unchecked() {
    this.#unchecked ??= new Set();
    return this.#unchecked;
  }

  get isWhole() {
    return this.#unchecked === undefined;
  }

  check(schema: unknown, subject: Subject): boolean {
    return checkValue(schema, subject, this);
  }

  matches(pattern: string, text: string): boolean | undefined {
    return this.#match(pattern, text, this);
  }
}

function dialectOf({ $schema }: Members): Dialect {
  if (typeof $schema !== 'string') return DEFAULT_DIALECT;
  return DIALECTS.find(([pattern]) => pattern.test($schema))?.[1] ?? DEFAULT_DIALECT;
}

function messageOf(error: unknown): string {
  if (error instanceof TooCostly) return error.message;
  return `can’t be used: ${error instanceof Error ? error.message : String(error)}`;
}

/** One issue a path; what several branches wanted of it side by side. */
function toIssues(faults: readonly Fault[]): Issue[] {
  const messages = new Map<string, Set<string>>();
  for (const { place, message } of faults) {
    const path = pathOf(place);
    messages.set(path, (messages.get(path) ?? new Set()).add(message()));
  }
  return [...messages].map(([path, of]) => ({ path, message: [...of].join('; or ') }));
}

function pathOf(place: Place | undefined): string {
  const keys: (string | number)[] = [];
  for (let at = place; at; at = at.outer) keys.unshift(at.key);
  return keys.join('.');
}
