/** What is no longer may stand in an answer twice. */
const LONG_CHARS = 200;

/**
 * Steps or nodes beside what all of it came to: of their outputs without what is long and stands there as it is, by
 * itself or within something else.
 */
export function toldOnce<Row extends { readonly output?: unknown }>(
  rows: readonly Row[],
  whole: unknown,
): Row[] {
  const told = new Set(longIn(whole));
  return rows.map((row) => {
    const { output, ...rest } = row;
    const left = withoutTold(output, told);
    return (left === undefined ? rest : { ...rest, output: left }) as Row; // its output may be absent
  });
}

function longIn(value: unknown): string[] {
  const written = JSON.stringify(value) ?? '';
  if (written.length <= LONG_CHARS) return [];
  return [written, ...(typeof value === 'object' ? Object.values(value ?? {}).flatMap(longIn) : [])];
}

function withoutTold(value: unknown, told: ReadonlySet<string>): unknown {
  const written = JSON.stringify(value) ?? '';
  if (written.length <= LONG_CHARS) return value;
  if (told.has(written)) return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const left = value.map((each) => withoutTold(each, told));
    return left.every((each) => each === undefined) ? undefined : left.map((each, at) => each ?? value[at]);
  }
  const left = Object.entries(value).flatMap(([name, each]) => {
    const kept = withoutTold(each, told);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}
