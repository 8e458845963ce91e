import { isRecord } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { assertValue } from './assertions.ts';
import { namesOf } from './budget.ts';
import { checkItems } from './check-items.ts';
import { checkProperties } from './check-properties.ts';
import { type Evaluated, noneEvaluated } from './evaluated.ts';
import type { Schema } from './references.ts';
import { fail, type Run, type Scope, type Subject } from './run.ts';

/** What core knows an argument by that the schema does not declare. */
const UNKNOWN_ARGUMENT = 'no such argument';

/**
 * Whether a value fits a schema (JSON Schema from draft 4 to 2020-12), by interpretation: every schema that
 * is entered, every value that is compared and every text that is matched is paid for.
 * @throws {TooCostly} the budget is spent
 */
export function checkValue(schema: unknown, subject: Subject, run: Run): boolean {
  if (typeof schema === 'boolean') {
    run.budget.spend(1);
    return schema || fail(run, subject.place, () => UNKNOWN_ARGUMENT);
  }
  if (!isRecord(schema)) throw new TypeError('has something in the place of a schema that is none');
  run.budget.enter();
  const base = run.references.baseOf(schema);
  const scope = subject.scope.at(-1) === base ? subject.scope : [...subject.scope, base];
  const here = { ...subject, scope };
  // Up to draft 7 a reference stands alone.
  const isAlone = typeof schema.$ref === 'string' && (run.dialect === '4' || run.dialect === '7');
  const fits = isAlone ? follow(schema, here, run) : checkWhole(schema, here, run);
  run.budget.leave();
  return fits;
}

function checkWhole(schema: Members, subject: Subject, run: Run): boolean {
  const { value, place } = subject;
  let fits = assertValue(schema, value, place, run);
  fits = follow(schema, subject, run) && fits;
  fits = checkBranches(schema, subject, run) && fits;
  if (Array.isArray(value)) fits = checkItems(schema, { ...subject, value }, run) && fits;
  else if (isRecord(value)) fits = checkProperties(schema, { ...subject, value }, run) && fits;
  return fits;
}

function follow(schema: Members, subject: Subject, run: Run): boolean {
  const { $ref, $dynamicRef, $recursiveRef } = schema;
  const { references, budget } = run;
  const base = references.baseOf(schema);
  let fits = true;
  // What is looked up is hashed as a whole, and a dynamic one is looked for in every resource of the scope.
  for (const each of [$ref, $dynamicRef]) if (typeof each === 'string') budget.spend(each.length >> 6);
  if (typeof ($dynamicRef ?? $recursiveRef) === 'string') budget.spend(subject.scope.length);
  if (typeof $ref === 'string') fits = checkValue(references.resolve($ref, base), subject, run);
  if (typeof $dynamicRef === 'string') {
    fits = checkValue(dynamicTarget($dynamicRef, base, subject.scope, run), subject, run) && fits;
  }
  if (typeof $recursiveRef === 'string') {
    fits = checkValue(recursiveTarget(base, subject.scope, run), subject, run) && fits;
  }
  return fits;
}

/** Draft 2020-12, section 8.2.3.2: the outermost that has the anchor, where the reference leads to one. */
function dynamicTarget(reference: string, base: string, scope: Scope, { references }: Run): Schema {
  const target = references.resolve(reference, base);
  const name = reference.slice(reference.indexOf('#') + 1);
  if (!isRecord(target) || target.$dynamicAnchor !== name) return target;
  for (const each of scope) {
    const found = references.dynamic(each, name);
    if (found) return found;
  }
  return target;
}

/** Draft 2019-09, section 8.2.4.2.1. */
function recursiveTarget(base: string, scope: Scope, { references }: Run): Schema {
  const target = references.resolve('#', base);
  if (!isRecord(target) || target.$recursiveAnchor !== true) return target;
  const outermost = scope
    .map((each) => references.rootOf(each))
    .find((root) => root?.$recursiveAnchor === true);
  return outermost ?? target;
}

/** Schemas that look at the same value. What those have looked at counts only where they fit. */
function checkBranches(schema: Members, subject: Subject, run: Run): boolean {
  const { allOf, anyOf, oneOf, not, if: condition, dependentSchemas, dependencies } = schema;
  let fits = true;
  for (const each of listOf(allOf)) fits = checkBranch(each, subject, run) && fits;
  if (anyOf !== undefined) fits = checkOneOf(listOf(anyOf), 'any', subject, run) && fits;
  if (oneOf !== undefined) fits = checkOneOf(listOf(oneOf), 'one', subject, run) && fits;
  if (not !== undefined && isQuietly(not, subject, run)) {
    fits = fail(run, subject.place, () => 'Instance matched "not" schema');
  }
  if (condition !== undefined) {
    const next = isQuietly(condition, subject, run) ? schema.then : schema.else;
    if (next !== undefined) fits = checkBranch(next, subject, run) && fits;
  }
  for (const dependents of [dependentSchemas, dependencies]) {
    if (!isRecord(dependents) || !isRecord(subject.value)) continue;
    for (const key of namesOf(dependents, run.budget)) {
      const each = dependents[key];
      const isMet = Object.hasOwn(subject.value, key) && !Array.isArray(each);
      if (isMet) fits = checkBranch(each, subject, run) && fits;
    }
  }
  return fits;
}

function checkBranch(schema: unknown, subject: Subject, run: Run): boolean {
  const evaluated = noneEvaluated(run);
  const fits = checkValue(schema, { ...subject, evaluated }, run);
  if (fits) take(evaluated, subject.evaluated, run);
  return fits;
}

function checkOneOf(branches: readonly unknown[], how: 'any' | 'one', subject: Subject, run: Run): boolean {
  const { length } = run.faults;
  const found: Evaluated[] = [];
  for (const each of branches) {
    const evaluated = noneEvaluated(run);
    if (checkValue(each, { ...subject, evaluated }, run)) found.push(evaluated);
  }
  if (found.length === 0) {
    return run.faults.length > length
      ? false
      : fail(run, subject.place, () => 'Instance matches none of the schemas');
  }
  run.faults.length = length;
  if (how === 'one' && found.length > 1) {
    return fail(
      run,
      subject.place,
      () => `Instance matches ${found.length} of the "oneOf" schemas, and may match one`,
    );
  }
  for (const each of found) take(each, subject.evaluated, run);
  return true;
}

/** Whether it fits, where that it does not is no fault. */
function isQuietly(schema: unknown, subject: Subject, run: Run): boolean {
  const { length } = run.faults;
  const fits = checkBranch(schema, subject, run);
  run.faults.length = length;
  return fits;
}

function take(from: Evaluated, to: Evaluated, { budget }: Run): void {
  budget.spend(from.size);
  for (const each of from) to.add(each);
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value))
    throw new TypeError('has something in the place of a list of schemas that is none');
  return value;
}
