import { cutEnd } from '../cut-end.ts';

const MAX_NAMES = 20;
const MAX_NAME_CHARS = 60;
const MAX_PATH_CHARS = 100;

/** Which paths lead nowhere, and what there is where each of them ends. */
export function nowhere(paths: readonly string[], result: unknown): string {
  const byPlace = new Map<string, { of: unknown; missed: string[] }>();
  for (const path of paths) {
    const { at, of } = reached(path, result);
    const known = byPlace.get(at) ?? { of, missed: [] };
    byPlace.set(at, known);
    known.missed.push(JSON.stringify(cutEnd(path, MAX_PATH_CHARS)));
  }
  return [...byPlace]
    .map(([at, { of, missed }]) => `Nothing is at ${missed.join(', ')}${membersAt(at, of)}.`)
    .join(' ');
}

/** How far a path leads: the last place on it that is there, of a list its first item. */
function reached(path: string, result: unknown): { at: string; of: unknown } {
  let found = { at: '', of: result };
  for (const [step] of path.matchAll(/\.?[^.[\]]+|\[\d*\]/g)) {
    const { at, of } = found;
    const key = step.startsWith('[') ? step.slice(1, -1) || '0' : step.replace(/^\./, '');
    const next = Object.hasOwn(Object(of), key) ? (of as Readonly<Record<string, unknown>>)[key] : undefined;
    if (typeof next !== 'object' || next === null) break;
    found = { at: `${at}${step}`, of: next };
  }
  return found;
}

function membersAt(at: string, of: unknown): string {
  const place = JSON.stringify(cutEnd(at, MAX_PATH_CHARS));
  const [has, itemsHave] =
    at === '' ? ['it has', 'its items have'] : [`${place} has`, `the items of ${place} have`];
  const [object, which] = Array.isArray(of)
    ? [(of as unknown[])[0], itemsHave]
    : [of, at === '[]' ? 'its items have' : has];
  const names = typeof object === 'object' && object !== null ? Object.keys(object) : [];
  const short = names.slice(0, MAX_NAMES).map((name) => JSON.stringify(cutEnd(name, MAX_NAME_CHARS)));
  const rest = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return short.length === 0 ? '' : `; ${which} ${short.join(', ')}${rest}`;
}
