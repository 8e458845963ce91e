import { type Issue, isRecord } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import type { Patterns } from '@nexus/untrusted/patterns';
import { createBudget, TooCostly } from './budget.ts';
import { checkValue } from './check-value.ts';
import { noneEvaluated } from './evaluated.ts';
import { findReferences, type References } from './references.ts';
import { createMatcher, type Dialect, type Fault, type Place, type Run } from './run.ts';

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
  let prepared: { references: References; match: ReturnType<typeof createMatcher> } | undefined;

  function giveUp(reason: string): void {
    unusable = reason;
    onUnusable(reason);
  }

  function judge(value: unknown, part: unknown): Checked {
    if (unusable !== undefined) return { ok: true, unchecked: unusable };
    const run = { faults: [] as Fault[], unchecked: new Set<string>() };
    try {
      prepared ??= { references: findReferences(schema), match: createMatcher(patterns) };
      const { references, match } = prepared;
      const budget = createBudget();
      const whole: Run = {
        ...run,
        budget,
        references,
        dialect,
        check: (inner, subject) => checkValue(inner, subject, whole),
        matches: (pattern, text) => match(pattern, text, whole),
      };
      const subject = { value, place: undefined, scope: [], evaluated: noneEvaluated(whole) };
      const fits = checkValue(part, subject, whole);
      if (!fits) return { ok: false, issues: toIssues(run.faults) };
      return { ok: true, unchecked: [...run.unchecked].join(' ') || undefined };
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
    messages.set(path, (messages.get(path) ?? new Set()).add(message));
  }
  return [...messages].map(([path, of]) => ({ path, message: [...of].join('; or ') }));
}

function pathOf(place: Place | undefined): string {
  const keys: (string | number)[] = [];
  for (let at = place; at; at = at.outer) keys.unshift(at.key);
  return keys.join('.');
}
