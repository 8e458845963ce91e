import type { Patterns } from '@nexus/untrusted/patterns';
import { PatternFault } from '@nexus/untrusted/patterns';
import type { Budget } from './budget.ts';
import type { Evaluated } from './evaluated.ts';
import type { References } from './references.ts';

/** Where in the arguments a check stands; written out only for a fault. */
export interface Place {
  readonly outer: Place | undefined;
  readonly key: string | number;
}

export interface Fault {
  readonly place: Place | undefined;
  /** Written when it is told: most faults of branches are taken back. */
  readonly message: () => string;
}

export type Dialect = '4' | '7' | '2019-09' | '2020-12';

/** The resources that led to a schema, outermost first: what `$dynamicRef` looks through. */
export type Scope = readonly string[];

/** What is checked, and where it stands. */
export interface Subject {
  readonly value: unknown;
  readonly place: Place | undefined;
  readonly scope: Scope;
  readonly evaluated: Evaluated;
}

/** One check of one value. */
export interface Run {
  readonly budget: Budget;
  readonly references: References;
  readonly dialect: Dialect;
  /** What was found wrong; what a branch found is taken back where another one fits. */
  readonly faults: Fault[];
  /** Why something was taken to fit without having been checked. */
  readonly unchecked: Set<string>;
  /** Whether a value further in fits a schema further in. */
  check(schema: unknown, subject: Subject): boolean;
  /** Whether a pattern matches; undefined where it can't be told in linear time. */
  matches(pattern: string, text: string): boolean | undefined;
}

/** Faults that are kept; the rest is as wrong, and read by nobody. */
const MAX_FAULTS = 50;

export function fail(run: Run, place: Place | undefined, message: () => string): false {
  if (run.faults.length < MAX_FAULTS) run.faults.push({ place, message });
  return false;
}

/** Matching by an engine in linear time; each pattern is compiled once. */
export function createMatcher(patterns: Patterns | undefined) {
  const compiled = new Map<string, ReturnType<Patterns['expression']> | PatternFault>();

  function compile(source: string) {
    if (!patterns) return new PatternFault(source, 'was not expected');
    try {
      return patterns.expression(source);
    } catch (error) {
      if (error instanceof PatternFault) return error;
      throw error;
    }
  }

  return (source: string, text: string, { budget, unchecked }: Pick<Run, 'budget' | 'unchecked'>) => {
    let pattern = compiled.get(source);
    if (!pattern) {
      pattern = compile(source);
      compiled.set(source, pattern);
    }
    if (pattern instanceof PatternFault) {
      unchecked.add(pattern.message);
      return undefined;
    }
    budget.spend(1 + ((text.length * (pattern.states + 10)) >> 6));
    try {
      return pattern.test(text);
    } catch (error) {
      if (!(error instanceof PatternFault)) throw error;
      unchecked.add(error.message);
      return undefined;
    }
  };
}
