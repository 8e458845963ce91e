import { cutEnd } from '../cut-end.ts';
import { pathTo } from '../picking/focus.ts';

/** How many items a list has, or members an object. */
export type SizeOf = (of: object) => number;

const ownSize: SizeOf = (of) => (Array.isArray(of) ? of.length : Object.keys(of).length);

/**
 * The lists that a shrunk value has fewer items of, and objects with fewer members, by their paths: `steps` has 3 of 5.
 * @param sizeOf of what is only the beginning of something larger, how much that has
 */
export function fewerIn(
  value: unknown,
  shrunk: unknown,
  { path = '', sizeOf = ownSize }: { readonly path?: string; readonly sizeOf?: SizeOf } = {},
): { path: string; kept: number; of: number }[] {
  if (typeof value !== 'object' || typeof shrunk !== 'object' || value === null || shrunk === null) return [];
  const [kept, of] = [ownSize(shrunk), sizeOf(value)];
  if (Array.isArray(value) && Array.isArray(shrunk)) {
    const own = kept < of ? [{ path, kept, of }] : [];
    return [
      ...own,
      ...shrunk.flatMap((each, at) => fewerIn(value[at], each, { path: `${path}[${at}]`, sizeOf })),
    ];
  }
  const whole = value as Readonly<Record<string, unknown>>; // an object that is no list
  return [
    ...(kept < of ? [{ path: path === '' ? 'its members' : path, kept, of }] : []),
    ...Object.entries(shrunk).flatMap(([key, each]) =>
      fewerIn(whole[key], each, { path: pathTo(path, key), sizeOf }),
    ),
  ];
}

const MAX_FEWER = 10;
const MAX_PATH_CHARS = 200;

/**
 * How many items its lists have, and members its objects, where they are fewer: they say that of themselves nowhere.
 * @param options.room in characters; one is told however little there is
 */
export function fewerText(
  whole: unknown,
  shorter: unknown,
  {
    room = Number.POSITIVE_INFINITY,
    sizeOf = ownSize,
  }: { readonly room?: number; readonly sizeOf?: SizeOf } = {},
): string | undefined {
  const fewer = fewerIn(whole, shorter, { sizeOf });
  if (fewer.length === 0) return undefined;
  const told: string[] = [];
  let left = room - ' and 1000000 more fewer'.length;
  for (const { path, kept, of } of fewer.slice(0, MAX_FEWER)) {
    const shown = cutEnd(path, Math.max(20, Math.min(MAX_PATH_CHARS, Math.floor(room / 2))));
    const text = `of ${shown || 'its items'} ${kept} of ${of}`;
    left -= text.length + 2;
    if (left < 0 && told.length > 0) break;
    told.push(text);
  }
  const rest = fewer.length - told.length;
  return `${told.join(', ')}${rest > 0 ? ` and ${rest} more fewer` : ''}`;
}
