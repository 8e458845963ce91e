import { type PathStep, parsePath } from './parse-path.ts';

/** What of a value is wanted, as a tree of the paths' steps; undefined below a path's end: all of it. */
interface Wanted {
  readonly members: Map<string, Wanted | undefined>;
  readonly items: Map<number, Wanted | undefined>;
  every: { wanted: Wanted | undefined } | undefined;
}

export interface Picked {
  readonly value: unknown;
  /** The paths that lead nowhere in this value. */
  readonly nowhere: readonly string[];
}

/** @returns what is wrong with a path, with the path; undefined where all can be read */
export function pathFault(paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const steps = parsePath(path);
    if (typeof steps === 'string') return `The path ${JSON.stringify(path)} ${steps}.`;
  }
  return undefined;
}

/**
 * As much of a value of JSON as the paths name, in the value's own shape and order: members stay under their names,
 * items that are left out close up. Nothing is in it that is not in the value, own members alone count, and paths that
 * name all of it give all of it.
 * @param paths that `pathFault` finds nothing wrong with
 */
export function pick(value: unknown, paths: readonly string[]): Picked {
  const nowhere: string[] = [];
  const root = branch();
  for (const path of paths) {
    const steps = parsePath(path);
    if (typeof steps === 'string' || !leadsSomewhere(value, steps)) nowhere.push(path);
    else want(root, steps);
  }
  return { value: taken(value, root), nowhere };
}

function branch(): Wanted {
  return { members: new Map(), items: new Map(), every: undefined };
}

function want(root: Wanted, steps: readonly PathStep[]): void {
  let at: Wanted | undefined = root;
  steps.forEach((step, index) => {
    if (!at) return; // a shorter path has all of it
    const isLast = index === steps.length - 1;
    at =
      'member' in step
        ? below(at.members, step.member, isLast)
        : 'item' in step
          ? below(at.items, step.item, isLast)
          : belowEvery(at, isLast);
  });
}

function below<Key>(children: Map<Key, Wanted | undefined>, key: Key, isLast: boolean): Wanted | undefined {
  const next = isLast ? undefined : children.has(key) ? children.get(key) : branch();
  children.set(key, next);
  return next;
}

function belowEvery(at: Wanted, isLast: boolean): Wanted | undefined {
  const wanted = isLast ? undefined : at.every ? at.every.wanted : branch();
  at.every = { wanted };
  return wanted;
}

/** Whether a path ends at something, of a list's items at any; looks no deeper than the path. */
function leadsSomewhere(value: unknown, steps: readonly PathStep[], from = 0): boolean {
  let at = value;
  for (let index = from; index < steps.length; index++) {
    const step = steps[index] as PathStep; // below its length
    if ('every' in step) {
      return (
        Array.isArray(at) && (at.length === 0 || at.some((item) => leadsSomewhere(item, steps, index + 1)))
      );
    }
    if ('item' in step) {
      const all = Array.isArray(at) ? at : isObject(at) ? Object.values(at) : [];
      if (step.item >= all.length) return false;
      at = all[step.item];
    } else {
      if (!isObject(at) || !Object.hasOwn(at, step.member)) return false;
      at = at[step.member];
    }
  }
  return true;
}

function taken(value: unknown, wanted: Wanted): unknown {
  if (Array.isArray(value)) {
    const items = value.flatMap((item, index) => {
      const whole = isWhole(wanted, index);
      if (whole) return [item];
      const parts = [wanted.items.get(index), wanted.every?.wanted].filter((each) => each !== undefined);
      const part = parts.length === 0 ? undefined : takenBy(item, parts);
      return part === undefined ? [] : [part];
    });
    return items.length === 0 && value.length > 0 ? undefined : items;
  }
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).flatMap(([key, each], index) => {
    const { members, items } = wanted;
    const isAll =
      (members.has(key) && members.get(key) === undefined) ||
      (items.has(index) && items.get(index) === undefined);
    if (isAll) return [[key, each] as const];
    const parts = [members.get(key), items.get(index)].filter((wants) => wants !== undefined);
    const part = parts.length === 0 ? undefined : takenBy(each, parts);
    return part === undefined ? [] : [[key, part] as const];
  });
  // Defined and not assigned: a member may be called __proto__.
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function isWhole(wanted: Wanted, index: number): boolean {
  const byNumber = wanted.items.has(index) && wanted.items.get(index) === undefined;
  return byNumber || (wanted.every !== undefined && wanted.every.wanted === undefined);
}

/** What an item's own path and that of every item want of it, or a member's name and its place, together. */
function takenBy(item: unknown, parts: readonly Wanted[]): unknown {
  const [only, other] = parts;
  return taken(item, other && only ? united(only, other) : (only as Wanted));
}

function united(one: Wanted, other: Wanted): Wanted {
  const both = branch();
  for (const each of [one, other]) {
    for (const [key, child] of each.members) unite(both.members, key, child);
    for (const [key, child] of each.items) unite(both.items, key, child);
    if (each.every) {
      const before = both.every;
      const child = each.every.wanted;
      both.every = {
        wanted: before ? (before.wanted && child ? united(before.wanted, child) : undefined) : child,
      };
    }
  }
  return both;
}

function unite<Key>(into: Map<Key, Wanted | undefined>, key: Key, child: Wanted | undefined): void {
  const before = into.get(key);
  into.set(key, into.has(key) ? (before && child ? united(before, child) : undefined) : child);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
