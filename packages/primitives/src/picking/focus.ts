import { isWritten } from '../written-json.ts';
import { type PathStep, parsePath } from './parse-path.ts';

/** What of a picked part is counted by offset and limit. */
export interface Focus {
  /** The path to it, as `pick` reads it; empty at the top. */
  readonly path: string;
  readonly value: unknown;
  /** The picked part with another value in its place. */
  put(value: unknown): unknown;
}

/**
 * Where the one thing is that a part holds: behind members that stand alone, however deep, and behind items that a
 * single path names by their numbers where such an item is, or only holds, a text or a list.
 */
export function focusOf(value: unknown, paths: readonly string[]): Focus {
  return below(value, exactSteps(paths) ?? []);
}

/** Whether paths name one place: none is all of it. */
export function isExact(paths: readonly string[]): boolean {
  return paths.length === 0 || exactSteps(paths) !== undefined;
}

/** A path with one more step at its end. */
export function pathTo(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  if (!/^[^.[\]"]+$/.test(step)) return `${path}[${JSON.stringify(step)}]`;
  return path === '' ? step : `${path}.${step}`;
}

function exactSteps(paths: readonly string[]): readonly PathStep[] | undefined {
  const [path, other] = paths;
  const steps = path === undefined || other !== undefined ? undefined : parsePath(path);
  return Array.isArray(steps) && !steps.some((step) => 'every' in step) ? steps : undefined;
}

/** What stands around a value: a member's name, or a list of one item. */
type Around = string | undefined;

function below(
  value: unknown,
  steps: readonly PathStep[],
  start = '',
  outside: readonly Around[] = [],
): Focus {
  const around = [...outside];
  let [at, path] = [value, start];
  const here = (): Focus => ({ path, value: at, put: (whole) => around.reduceRight(wrapped, whole) });
  for (let depth = 0; ; depth++) {
    const step = steps[depth];
    if (Array.isArray(at)) {
      if (step === undefined || !('item' in step) || at.length !== 1) return here();
      const found = below(at[0], steps.slice(depth + 1), pathTo(path, step.item), [...around, undefined]);
      const isText = typeof found.value === 'string' && !isWritten(found.value);
      return isText || Array.isArray(found.value) ? found : here();
    }
    const [only, other] = typeof at === 'object' && at !== null ? Object.entries(at) : [];
    if (!only || other) return here();
    around.push(only[0]);
    [path, at] = [pathTo(path, only[0]), only[1]];
  }
}

function wrapped(inside: unknown, name: Around): unknown {
  // Defined and not assigned: a member may be called __proto__.
  return name === undefined ? [inside] : Object.fromEntries([[name, inside]]);
}
