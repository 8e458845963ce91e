import type { Members } from '@nexus/core/json-rpc';
import { noneEvaluated } from './evaluated.ts';
import { fail, type Run, type Subject } from './run.ts';

type ListSubject = Subject & { readonly value: readonly unknown[] };

/** Keywords that look into the items of an array. */
export function checkItems(schema: Members, subject: ListSubject, run: Run): boolean {
  const { prefixItems, items, additionalItems, unevaluatedItems } = schema;
  const { value, evaluated } = subject;
  // Until 2019-09 a list under `items` was what `prefixItems` is now, and `additionalItems` the rest.
  const first: readonly unknown[] = Array.isArray(items)
    ? items
    : Array.isArray(prefixItems)
      ? prefixItems
      : [];
  const rest = Array.isArray(items) ? additionalItems : items;
  let fits = true;

  const look = (index: number, each: unknown) => {
    evaluated.add(index);
    fits = checkItem(each, index, subject, run) && fits;
  };

  for (const [index, each] of first.slice(0, value.length).entries()) look(index, each);
  if (rest !== undefined) {
    for (let index = first.length; index < value.length; index += 1) look(index, rest);
  }
  fits = checkContains(schema, subject, run) && fits;
  if (unevaluatedItems !== undefined) {
    for (let index = 0; index < value.length; index += 1) {
      if (!evaluated.has(index)) look(index, unevaluatedItems);
    }
  }
  return fits;
}

function checkContains(schema: Members, subject: ListSubject, run: Run): boolean {
  const { contains, minContains, maxContains } = schema;
  if (contains === undefined) return true;
  const { length } = run.faults;
  let found = 0;
  for (let index = 0; index < subject.value.length; index += 1) {
    if (!checkItem(contains, index, subject, run)) continue;
    found += 1;
    // Draft 2020-12, section 10.3.1.3; before, such an item was evaluated by nobody.
    if (run.dialect === '2020-12') subject.evaluated.add(index);
  }
  run.faults.length = length;
  const least = typeof minContains === 'number' ? minContains : 1;
  if (found < least) {
    return fail(
      run,
      subject.place,
      () => `Array has ${found} items that match "contains", and needs ${least}`,
    );
  }
  if (typeof maxContains === 'number' && found > maxContains) {
    return fail(
      run,
      subject.place,
      () => `Array has ${found} items that match "contains", and may have ${maxContains}`,
    );
  }
  return true;
}

function checkItem(schema: unknown, index: number, { value, place, scope }: ListSubject, run: Run): boolean {
  const item = {
    value: value[index],
    place: { outer: place, key: index },
    scope,
    evaluated: noneEvaluated(run),
  };
  return run.check(schema, item);
}
