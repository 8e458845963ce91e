/** One step into a value: a member by its name, an item or a member by its place, or every item. */
export type PathStep = { readonly member: string } | { readonly item: number } | { readonly every: true };

/** How many steps a path has at most; what is deeper is given whole by a shorter one. */
const MAX_STEPS = 32;

const NAME_ENDS = new Set(['.', '[', ']', '"']);

/**
 * A path as `items[].author.name`, `rows[0]`, `["a.b"].c`: members after dots or, as a JSON text, in brackets; an item,
 * or a member whose name is too long to be written, by its place; every item by `[]`. Read in one pass from left to right, nothing taken back.
 * @returns its steps, or what is wrong with it, at which character
 */
export function parsePath(path: string): readonly PathStep[] | string {
  const steps: PathStep[] = [];
  let at = 0;
  while (at < path.length) {
    if (steps.length === MAX_STEPS) return `has more than ${MAX_STEPS} steps`;
    if (path[at] === '[') {
      const read = bracketed(path, at);
      if (typeof read === 'string') return read;
      steps.push(read.step);
      at = read.end;
    } else {
      if (path[at] === '.') at++;
      else if (steps.length > 0) return `has ${shown(path, at)} where . or [ is wanted`;
      const end = nameEnd(path, at);
      if (end === at) return `has no name ${shown(path, at)}`;
      steps.push({ member: path.slice(at, end) });
      at = end;
    }
  }
  return steps.length > 0 ? steps : 'is empty';
}

function bracketed(path: string, at: number): { step: PathStep; end: number } | string {
  if (path[at + 1] === '"') return quoted(path, at);
  const end = path.indexOf(']', at);
  if (end === -1) return `has a [ without its ] ${shown(path, at)}`;
  const inside = path.slice(at + 1, end);
  if (inside === '' || inside === '*') return { step: { every: true }, end: end + 1 };
  if (!/^\d{1,15}$/.test(inside))
    return `has ${shown(path, at)}: in brackets stand a number, nothing, or "a name"`;
  return { step: { item: Number(inside) }, end: end + 1 };
}

/** `["…"]`, its inside a text of JSON. */
function quoted(path: string, at: number): { step: PathStep; end: number } | string {
  let end = at + 2;
  while (end < path.length && path[end] !== '"') end += path[end] === '\\' ? 2 : 1;
  if (path[end + 1] !== ']') return `has a [" without its "] ${shown(path, at)}`;
  try {
    return { step: { member: JSON.parse(path.slice(at + 1, end + 1)) as string }, end: end + 2 };
  } catch {
    return `has no JSON text ${shown(path, at)}`;
  }
}

function nameEnd(path: string, from: number): number {
  let end = from;
  while (end < path.length && !NAME_ENDS.has(path[end] ?? '')) end++;
  return end;
}

function shown(path: string, at: number): string {
  return at >= path.length ? 'at its end' : `at character ${at + 1}`;
}

/** The path of steps, as {@link parsePath} reads it. */
export function pathOf(steps: readonly PathStep[]): string {
  return steps
    .map((step) => ('every' in step ? '[]' : `[${JSON.stringify('item' in step ? step.item : step.member)}]`))
    .join('');
}
