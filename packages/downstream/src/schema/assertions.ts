import { isRecord } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { namesOf } from './budget.ts';
import { isMultipleOf } from './multiple-of.ts';
import { fail, type Place, type Run } from './run.ts';
import { findTwins, isSame } from './same-value.ts';
import { shortened, shown } from './shown.ts';

/** Keywords that look at the value itself, and into no schema further in. Formats are annotations. */
export function assertValue(schema: Members, value: unknown, place: Place | undefined, run: Run): boolean {
  let fits = assertAny(schema, value, place, run);
  if (typeof value === 'string') fits = assertText(schema, value, place, run) && fits;
  else if (typeof value === 'number') fits = assertNumber(schema, value, place, run) && fits;
  else if (Array.isArray(value)) fits = assertList(schema, value, place, run) && fits;
  else if (isRecord(value)) fits = assertObject(schema, value, place, run) && fits;
  return fits;
}

function assertAny(schema: Members, value: unknown, place: Place | undefined, run: Run): boolean {
  const { type, enum: choices } = schema;
  let fits = true;
  if (type !== undefined) {
    const types: readonly unknown[] = Array.isArray(type) ? type : [type];
    run.budget.spend(types.length);
    if (!types.some((each) => isOfType(value, each))) {
      const expected = () =>
        types
          .slice(0, MAX_TYPES)
          .map((each) => `"${String(each)}"`)
          .join(', ');
      fits = fail(run, place, () => `Instance type "${typeOf(value)}" is invalid. Expected ${expected()}`);
    }
  }
  if (choices !== undefined) {
    if (!Array.isArray(choices)) throw new TypeError('its "enum" is no list');
    if (!choices.some((each) => isSame(value, each, run.budget))) {
      fits = fail(run, place, () => `Instance does not match any of ${shown(choices)}`);
    }
  }
  if ('const' in schema && !isSame(value, schema.const, run.budget)) {
    fits = fail(run, place, () => `Instance does not match ${shown(schema.const)}`);
  }
  return fits;
}

function assertText(schema: Members, value: string, place: Place | undefined, run: Run): boolean {
  const { minLength, maxLength, pattern } = schema;
  let fits = true;
  if (typeof minLength === 'number' || typeof maxLength === 'number') {
    run.budget.spend(1 + (value.length >> 6));
    const length = codePoints(value);
    if (length < numberOr(minLength, 0)) {
      fits = fail(run, place, () => `String is too short (${length} < ${minLength})`);
    }
    if (length > numberOr(maxLength, Number.POSITIVE_INFINITY)) {
      fits = fail(run, place, () => `String is too long (${length} > ${maxLength})`);
    }
  }
  if (typeof pattern === 'string' && run.matches(pattern, value) === false) {
    fits = fail(run, place, () => `String does not match pattern ${shortened(pattern)}`);
  }
  return fits;
}

function assertNumber(schema: Members, value: number, place: Place | undefined, run: Run): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  // Draft 4 has them as booleans beside the bound.
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  let fits = true;
  if (typeof minimum === 'number' && value < minimum) {
    fits = fail(run, place, () => `${value} is less than ${minimum}`);
  }
  if (typeof maximum === 'number' && value > maximum) {
    fits = fail(run, place, () => `${value} is greater than ${maximum}`);
  }
  if (typeof above === 'number' && value <= above) {
    fits = fail(run, place, () => `${value} is less than or equal to ${above}`);
  }
  if (typeof below === 'number' && value >= below) {
    fits = fail(run, place, () => `${value} is greater than or equal to ${below}`);
  }
  if (typeof multipleOf === 'number' && !isMultipleOf(value, multipleOf, run.budget)) {
    fits = fail(run, place, () => `${value} is not a multiple of ${multipleOf}`);
  }
  return fits;
}

function assertList(schema: Members, value: readonly unknown[], place: Place | undefined, run: Run): boolean {
  const { minItems, maxItems, uniqueItems } = schema;
  const { length } = value;
  let fits = true;
  if (length < numberOr(minItems, 0))
    fits = fail(run, place, () => `Array has too few items (${length} < ${minItems})`);
  if (length > numberOr(maxItems, Number.POSITIVE_INFINITY)) {
    fits = fail(run, place, () => `Array has too many items (${length} > ${maxItems})`);
  }
  if (uniqueItems === true) {
    const twins = findTwins(value, run.budget);
    if (twins) fits = fail(run, place, () => `Duplicate items at indexes ${twins[0]} and ${twins[1]}`);
  }
  return fits;
}

function assertObject(schema: Members, value: Members, place: Place | undefined, run: Run): boolean {
  const { required, minProperties, maxProperties, dependentRequired, dependencies } = schema;
  let fits = true;
  if (minProperties !== undefined || maxProperties !== undefined) {
    const { length } = namesOf(value, run.budget);
    if (length < numberOr(minProperties, 0)) {
      fits = fail(run, place, () => `Object has too few properties (${length} < ${minProperties})`);
    }
    if (length > numberOr(maxProperties, Number.POSITIVE_INFINITY)) {
      fits = fail(run, place, () => `Object has too many properties (${length} > ${maxProperties})`);
    }
  }
  // Draft 4 allowed no empty list, and draft 3 a boolean in each property: those say nothing here.
  if (Array.isArray(required)) fits = hasAll(required, value, place, run) && fits;
  for (const lists of [dependentRequired, dependencies]) {
    if (!isRecord(lists)) continue;
    for (const key of namesOf(lists, run.budget)) {
      const needed = lists[key];
      if (Object.hasOwn(value, key) && Array.isArray(needed))
        fits = hasAll(needed, value, place, run) && fits;
    }
  }
  return fits;
}

function hasAll(keys: readonly unknown[], value: Members, place: Place | undefined, run: Run): boolean {
  let fits = true;
  for (const key of keys) {
    run.budget.spend(1);
    if (typeof key === 'string' && !Object.hasOwn(value, key)) {
      fits = fail(run, { outer: place, key }, () => 'is missing');
    }
  }
  return fits;
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  return typeOf(value) === type;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** As `minLength` counts: a surrogate pair is one. */
function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00)
      count -= 1;
  }
  return count;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

/** That are told of; JSON has seven. */
const MAX_TYPES = 10;
