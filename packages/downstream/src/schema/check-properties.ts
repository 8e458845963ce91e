import { isRecord } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { namesOf } from './budget.ts';
import { noneEvaluated } from './evaluated.ts';
import { fail, type Run, type Subject } from './run.ts';
import { shown } from './shown.ts';

/** Keywords that look into the members of an object. */
export function checkProperties(
  schema: Members,
  subject: Subject & { readonly value: Members },
  run: Run,
): boolean {
  const { properties, patternProperties, additionalProperties, propertyNames, unevaluatedProperties } =
    schema;
  const { value, place, evaluated } = subject;
  let matched: Set<string> | undefined;
  const isDeclared = (key: string) =>
    (isRecord(properties) && Object.hasOwn(properties, key)) || matched?.has(key) === true;
  let fits = true;

  const look = (key: string, each: unknown) => {
    evaluated.add(key);
    const inner = { outer: place, key };
    const { scope } = subject;
    fits = run.check(each, { value: value[key], place: inner, scope, evaluated: noneEvaluated(run) }) && fits;
  };

  if (isRecord(properties)) {
    for (const key of namesOf(properties, run.budget)) {
      if (Object.hasOwn(value, key)) look(key, properties[key]);
    }
  }
  const asksForAll =
    isRecord(patternProperties) ||
    additionalProperties !== undefined ||
    propertyNames !== undefined ||
    unevaluatedProperties !== undefined;
  if (!asksForAll) return fits;
  const keys = namesOf(value, run.budget);
  if (isRecord(patternProperties)) {
    matched = new Set();
    for (const pattern of namesOf(patternProperties, run.budget)) {
      const each = patternProperties[pattern];
      for (const key of keys) {
        const matches = run.matches(pattern, key);
        if (matches === false) continue;
        matched.add(key);
        // What nobody can tell is not held against the key.
        if (matches === undefined) evaluated.add(key);
        else look(key, each);
      }
    }
  }
  if (additionalProperties !== undefined) {
    for (const key of keys) if (!isDeclared(key)) look(key, additionalProperties);
  }
  if (propertyNames !== undefined) {
    for (const key of keys) {
      const name = { value: key, place, scope: subject.scope, evaluated: noneEvaluated(run) };
      if (run.check(propertyNames, name)) continue;
      fits = fail(run, place, () => `Property name ${shown(key)} does not match schema`);
    }
  }
  if (unevaluatedProperties !== undefined) {
    for (const key of keys) if (!evaluated.has(key)) look(key, unevaluatedProperties);
  }
  return fits;
}
