import { isWritten } from '@nexus/primitives';
import { cutMember } from './cut-text.ts';
import { shareOut } from './share-out.ts';

/** Below this a share can't hold a value that says anything; what has no room is left out from the end. */
const MIN_SHARE_CHARS = 16;

/**
 * A JSON value of the same shape in about `maxChars` characters of JSON: long texts keep head and tail, lists
 * their first items, objects their keys as long as there is room. Numbers, booleans and null stay as they are.
 * @param where said in the place of what is cut from a text
 */
export function shrinkJson(value: unknown, maxChars: number, where: string): unknown {
  if (lengthUpTo(value, maxChars) <= maxChars) return value;
  if (isWritten(value)) return value;
  if (typeof value === 'string') return shrinkText(value, maxChars, where);
  if (Array.isArray(value)) return shrinkList(value, maxChars, where);
  if (typeof value === 'object' && value !== null) return shrinkObject(value, maxChars, where);
  return value;
}

/** What is said in the place of what is left out has a length of its own: a text that it would lengthen stays. */
function shrinkText(text: string, maxChars: number, where: string): string {
  const first = cutMember(text, maxChars, where);
  // As JSON a quote takes two characters, and some take six.
  const chars = JSON.stringify(first).length;
  const shorter =
    chars > maxChars ? cutMember(text, Math.floor((maxChars * maxChars) / chars), where) : first;
  return shorter.length < text.length ? shorter : text;
}

/** Of an item of a list: with so much for each, all are kept, and shortened in the place of left out. */
const MIN_ITEM_CHARS = 1_000;

function shrinkList(items: readonly unknown[], maxChars: number, where: string): unknown[] {
  if (items.length * MIN_ITEM_CHARS <= maxChars) {
    const lengths = items.map((item) => lengthUpTo(item, maxChars) + 1);
    const shares = shareOut(lengths, maxChars);
    return items.map((item, index) => shrinkJson(item, Math.max(0, (shares[index] ?? 0) - 1), where));
  }
  const kept: unknown[] = [];
  let left = maxChars;
  for (const item of items) {
    left -= lengthUpTo(item, left) + 1;
    if (left < 0) break;
    kept.push(item);
  }
  // One long item says more than an empty list.
  return kept.length > 0 ? kept : items.slice(0, 1).map((item) => shrinkJson(item, maxChars, where));
}

function shrinkObject(value: object, maxChars: number, where: string): object {
  // A name that leaves no room for anything beside it is no name.
  const entries = Object.entries(value).filter(([key]) => key.length <= MAX_KEY_CHARS);
  const room = Math.max(1, Math.floor(maxChars / MIN_SHARE_CHARS));
  const kept = entries.slice(0, room);
  const lengths = kept.map(([key, each]) => lengthUpTo(key, maxChars) + lengthUpTo(each, maxChars) + 2);
  const shares = shareOut(lengths, maxChars);
  return Object.fromEntries(
    kept.map(([key, each], index) => [
      key,
      shrinkJson(each, Math.max(0, (shares[index] ?? 0) - lengthUpTo(key, maxChars) - 2), where),
    ]),
  );
}

const MAX_KEY_CHARS = 500;

/**
 * How long a value is as JSON, or some length beyond `max` where it is longer: a value of megabytes is not written at
 * every level to learn that it has no room.
 */
function lengthUpTo(value: unknown, max: number): number {
  if (typeof value === 'string') {
    return value.length + 2 > max ? value.length + 2 : JSON.stringify(value).length;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)?.length ?? 0;
  // After each stands a comma or the closing bracket.
  let length = 1;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (length > max) break;
      length += lengthUpTo(item, max - length) + 1;
    }
  } else {
    for (const [key, each] of Object.entries(value)) {
      if (length > max) break;
      length += lengthUpTo(key, max - length) + 2;
      length += lengthUpTo(each, max - length);
    }
  }
  return Math.max(2, length);
}

/** The lists that a shrunk value has fewer items of, and objects with fewer members, by their paths: `steps` has 3 of 5. */
export function fewerIn(
  value: unknown,
  shrunk: unknown,
  path = '',
): { path: string; kept: number; of: number }[] {
  if (Array.isArray(value) && Array.isArray(shrunk)) {
    const own = shrunk.length < value.length ? [{ path, kept: shrunk.length, of: value.length }] : [];
    return [...own, ...shrunk.flatMap((each, index) => fewerIn(value[index], each, `${path}[${index}]`))];
  }
  if (typeof value !== 'object' || typeof shrunk !== 'object' || value === null || shrunk === null) return [];
  const whole = value as Readonly<Record<string, unknown>>; // an object that is no list
  const [kept, of] = [Object.keys(shrunk).length, Object.keys(whole).length];
  return [
    ...(kept < of ? [{ path: path === '' ? 'its members' : path, kept, of }] : []),
    ...Object.entries(shrunk).flatMap(([key, each]) =>
      fewerIn(whole[key], each, path === '' ? key : `${path}.${key}`),
    ),
  ];
}

const MAX_FEWER = 10;
const MAX_PATH_CHARS = 200;

/** How many items its lists have, and members its objects, where they are fewer: they say that of themselves nowhere. */
export function fewerText(whole: unknown, shorter: unknown): string | undefined {
  const fewer = fewerIn(whole, shorter);
  if (fewer.length === 0) return undefined;
  const told = fewer
    .slice(0, MAX_FEWER)
    .map(({ path, kept, of }) => `of ${path.slice(0, MAX_PATH_CHARS) || 'its items'} ${kept} of ${of}`);
  const rest = fewer.length - told.length;
  return `${told.join(', ')}${rest > 0 ? ` and ${rest} more fewer` : ''}`;
}
