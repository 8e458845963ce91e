import { visibleJson } from '../visible.ts';
import { isWritten } from '../written-json.ts';
import { type PathStep, parsePath } from './parse-path.ts';

/** What of a picked part is counted by offset and limit. */
export interface Focus {
  /** The path to it, as `pick` reads it; empty at the top. */
  readonly path: string;
  /** Of a list that a path names one item of, the number of that. */
  readonly from: number;
  readonly value: unknown;
  /** The picked part with another value in its place. */
  put(value: unknown): unknown;
}

/**
 * Where the one thing is that a part holds: behind members that stand alone, however deep, and behind items that a
 * single path names by their numbers where such an item is, or only holds, a text or a list.
 */
export function focusOf(value: unknown, paths: readonly string[]): Focus {
  return below(value, { steps: exactSteps(paths) ?? [], isWhole: isExact(paths) });
}

/** Whether paths name one place: none is all of it. */
export function isExact(paths: readonly string[]): boolean {
  return paths.length === 0 || exactSteps(paths) !== undefined;
}

/** A longer name, or one that makes a path longer, is told by its place: what is told here can be picked. */
const MAX_TOLD_CHARS = 200;

/**
 * A path with one more step at its end.
 * @param place of a member among the others, from 0, where that is known
 */
export function pathTo(path: string, step: string | number, place?: number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  if (place !== undefined && path.length + step.length > MAX_TOLD_CHARS) return `${path}[${place}]`;
  // A name that could be read as words of the sentence that it stands in is quoted.
  if (!/^[^\s\p{C}.[\]"]+$/u.test(step)) return `${path}[${visibleJson(step)}]`;
  return path === '' ? step : `${path}.${step}`;
}

function exactSteps(paths: readonly string[]): readonly PathStep[] | undefined {
  const [path, other] = paths;
  const steps = path === undefined || other !== undefined ? undefined : parsePath(path);
  return Array.isArray(steps) && !steps.some((step) => 'every' in step) ? steps : undefined;
}

/** What stands around a value: a member's name, or a list of one item. */
export type Around = string | undefined;

interface Way {
  readonly steps: readonly PathStep[];
  /** Whether what stands behind the steps is as it was, nothing of it left out. */
  readonly isWhole: boolean;
}

function below(value: unknown, { steps, isWhole }: Way, start = '', outside: readonly Around[] = []): Focus {
  const around = [...outside];
  let [at, path] = [value, start];
  const here = (from = 0): Focus => ({
    path,
    from,
    value: at,
    put: (whole) => around.reduceRight(wrapped, whole),
  });
  for (let depth = 0; ; depth++) {
    const step = steps[depth];
    if (Array.isArray(at)) {
      if (step === undefined || !('item' in step) || at.length !== 1) return here();
      const rest = { steps: steps.slice(depth + 1), isWhole };
      const found = below(at[0], rest, pathTo(path, step.item), [...around, undefined]);
      const isText = typeof found.value === 'string' && !isWritten(found.value);
      return isText || Array.isArray(found.value) ? found : here(step.item);
    }
    const [only, other] = typeof at === 'object' && at !== null ? Object.entries(at) : [];
    if (!only || other) return here();
    around.push(only[0]);
    // A path that names it by its place has left out the others; where none leads, it stands alone.
    const place = step === undefined ? (isWhole ? 0 : undefined) : 'item' in step ? step.item : undefined;
    [path, at] = [pathTo(path, only[0], place), only[1]];
  }
}

/** A value in what stands around it. */
export function wrapped(inside: unknown, name: Around): unknown {
  // Defined and not assigned: a member may be called __proto__.
  return name === undefined ? [inside] : Object.fromEntries([[name, inside]]);
}
