import { ExactNumber } from './exact-json.ts';
import { Refusal } from './refusal.ts';

/** Where the rows are in a JSON file, and where each has its key. */
export interface RowPath {
  /** Names from the top of the file to the list; none where the file is the list. */
  readonly list: readonly string[];
  readonly key: string;
}

/** Takes `items[].id` apart; without `[]` the file itself is the list. */
export function rowPath(keyPath: string): RowPath {
  const [list, key, ...more] = keyPath.split('[].');
  if (key === undefined) {
    if (keyPath.includes('[]')) throw wrong(keyPath);
    return { list: [], key: keyPath };
  }
  const names = (list ?? '').split('.').filter((name) => name !== '');
  if (more.length > 0 || key === '' || key.includes('[]')) throw wrong(keyPath);
  return { list: names, key };
}

function wrong(keyPath: string): Refusal {
  return new Refusal(
    `keyPath ${JSON.stringify(keyPath)} can't be read: name the key as id or offer.id, and a list inside a JSON file as items[].id.`,
  );
}

/** What stands at a path of names joined by dots; a member that has the whole path as its name goes first, as a column may. */
export function valueAt(row: unknown, path: string): unknown {
  if (typeof row !== 'object' || row === null) return undefined;
  if (Object.hasOwn(row, path)) return (row as Record<string, unknown>)[path];
  const dot = path.indexOf('.');
  if (dot === -1) return undefined;
  const name = path.slice(0, dot);
  return Object.hasOwn(row, name)
    ? valueAt((row as Record<string, unknown>)[name], path.slice(dot + 1))
    : undefined;
}

/** A key as text: a number and the same written as text are one key. Undefined where there is none. */
export function keyText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  const isPlain = typeof value === 'number' || typeof value === 'boolean' || value instanceof ExactNumber;
  return isPlain ? String(value) : undefined;
}
