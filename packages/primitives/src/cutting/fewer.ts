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
