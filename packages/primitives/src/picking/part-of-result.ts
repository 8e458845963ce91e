import { setImmediate as nextTurn } from 'node:timers/promises';
import { counted } from '../counted.ts';
import { cutEnd } from '../cut-end.ts';
import { beginningOfJson } from '../cutting/beginning-of-json.ts';
import { OWN_SENTENCES } from '../cutting/own-sentences.ts';
import { boundsFault } from '../json-bounds.ts';
import { putMember } from '../put-member.ts';
import { isWritten, parseWritten } from '../written-json.ts';
import { type Around, type Focus, focusOf, isExact, pathTo, wrapped } from './focus.ts';
import { afterSpace, type MemberRange, membersOf } from './members-of.ts';
import { nowhere } from './nowhere.ts';
import { type PathStep, parsePath, pathOf } from './parse-path.ts';
import { partIn, sayPage } from './part-in.ts';
import { type Part, type PartWanted, partOf, rangeOf } from './part-of.ts';
import { pathFault, pick } from './pick.ts';
import { mayBeJson } from './whole-of.ts';

/** Of JSON that is too large to be read whole, what is made of it at once where nobody says how much. */
const MAX_CHARS = 20_000;
/** Members that stand alone are gone into so far, since each is looked over to its end; it can be picked from there. */
const MAX_LEVELS = 32;
/** Names told where a path leads nowhere. */
const MAX_NAMES = 20;

/**
 * As {@link partOf}, also of a text of JSON that is too large to be read whole: of that, the part is looked for in the
 * text, others have their turn meanwhile, and no value is made of anything else. It comes in pages, whether offset and limit
 * are given or not; its items are counted before paths lead into them.
 */
export async function partOfResult(result: unknown, wanted: PartWanted): Promise<Part> {
  const isLarge = typeof result === 'string' && mayBeJson(result) && boundsFault(result) !== undefined;
  if (!isLarge) return partOf(result, wanted);
  const wrong = pathFault(wanted.paths);
  if (wrong !== undefined) return { fault: wrong };
  try {
    return await partOfLarge(result, wanted);
  } catch (error) {
    // Then it is no JSON, or nested too deep to be read as a value, and has lines like any text.
    if (error instanceof SyntaxError) return partOf(result, wanted);
    throw error;
  }
}

async function partOfLarge(text: string, wanted: PartWanted): Promise<Part> {
  const { shared, rest } = sharedSteps(wanted.paths);
  const whole = { from: afterSpace(text, 0), to: text.length, path: '', around: [] };
  const found = await descended(text, { whole, steps: shared });
  if ('fault' in found) return found;
  const json = text.slice(found.from, found.to);
  if (boundsFault(json) === undefined) return partOfRead(parseWritten(json), { found, rest, wanted });
  if (text.charAt(found.from) === '{' && rest.length > 0) return namedIn(text, { found, rest, wanted });
  return pageOf(text, { found: await onlyOf(text, found), rest, wanted });
}

/** A value by where it stands. */
interface Found {
  readonly from: number;
  readonly to: number;
  /** The path to it. */
  readonly path: string;
  readonly around: readonly Around[];
  /** The last list on the way there: its path, which of its items leads on, and what stands around it. */
  readonly list?: { readonly path: string; readonly from: number; readonly around: number };
}

interface Looking {
  readonly found: Found;
  /** What of it is wanted, by paths from there; none is all of it. */
  readonly rest: readonly string[];
  readonly wanted: PartWanted;
}

/** What all paths begin with, but for every item of a list, and what each of them goes on with. */
function sharedSteps(paths: readonly string[]): { shared: readonly PathStep[]; rest: readonly string[] } {
  const all = paths.map((path) => parsePath(path)).filter((steps) => typeof steps !== 'string');
  const [first = []] = all;
  const end = first.findIndex(
    (step, at) => 'every' in step || all.some((steps) => JSON.stringify(steps[at]) !== JSON.stringify(step)),
  );
  const shared = end < 0 ? first : first.slice(0, end);
  const rest = all.map((steps) => pathOf(steps.slice(shared.length)));
  return { shared, rest: rest.includes('') ? [] : rest };
}

async function* inTurns(text: string, { from }: Pick<Found, 'from'>): AsyncGenerator<MemberRange> {
  for (const member of membersOf(text, from)) {
    if (member) yield member;
    else await nextTurn();
  }
}

function isContainer(text: string, { from }: Pick<Found, 'from'>): boolean {
  return '[{'.includes(text.charAt(from));
}

function inside(found: Found, { name, from, to }: MemberRange, place: number): Found {
  const { path, around } = found;
  const list = name === undefined ? { path, from: place, around: around.length } : found.list;
  return {
    from,
    to,
    path: pathTo(path, name ?? place, place),
    around: [...around, name],
    ...(list && { list }),
  };
}

/** A value in what stands around it. */
function inAll(around: readonly Around[], value: unknown): unknown {
  return around.reduceRight((each, name) => wrapped(each, name), value);
}

/** @returns where the steps lead, or that they lead nowhere */
async function descended(
  text: string,
  { whole, steps }: { readonly whole: Found; readonly steps: readonly PathStep[] },
): Promise<Found | { readonly fault: string }> {
  let found = whole;
  for (const [depth, step] of steps.entries()) {
    let next: Found | undefined;
    let count = 0;
    const names: string[] = [];
    if (isContainer(text, found)) {
      for await (const member of inTurns(text, found)) {
        const isIt = 'item' in step ? step.item === count : 'member' in step && step.member === member.name;
        if (isIt) next = inside(found, member, count);
        if (next) break;
        if (member.name !== undefined && count < MAX_NAMES)
          names.push(JSON.stringify(cutEnd(member.name, 60)));
        count += 1;
      }
    }
    if (!next) {
      const path = JSON.stringify(cutEnd(pathOf(steps.slice(0, depth + 1)), 200));
      const has =
        names.length > 0
          ? `${names.join(', ')}${count > names.length ? ` and ${count - names.length} more` : ''}`
          : counted(count, 'item');
      return { fault: OWN_SENTENCES.nothingIn(path, has) };
    }
    found = next;
  }
  return found;
}

/** What of it is meant where it has but one thing: behind members that stand alone, and the one list that is most of it. */
async function onlyOf(text: string, found: Found): Promise<Found> {
  if (text.charAt(found.from) !== '{' || found.around.length > MAX_LEVELS) return found;
  let only: Found | undefined;
  let list: Found | undefined;
  let [count, lists] = [0, 0];
  for await (const member of inTurns(text, found)) {
    const at = inside(found, member, count);
    only = at;
    count += 1;
    if (text.charAt(member.from) !== '[') continue;
    list = at;
    lists += 1;
  }
  if (count === 1 && only && isContainer(text, only)) return onlyOf(text, only);
  const isMost = list && 2 * (list.to - list.from) >= found.to - found.from;
  return list && lists === 1 && isMost ? list : found;
}

function partOfRead(value: unknown, { found, rest, wanted }: Looking): Part {
  const { value: picked, nowhere: missed } = rest.length === 0 ? { value, nowhere: [] } : pick(value, rest);
  const notes = missed.length === 0 ? [] : [nowhere(missed, value)];
  if (picked === undefined) return { fault: notes.join(' ') };
  const range = rangeOf(wanted);
  if (!range) return { value: inAll(found.around, picked), notes };
  return partIn(focusIn(found, focusOf(picked, rest)), { ...range, notes });
}

/** The focus of all of it, as `focusOf` has it: an item that is no list and no text is one of its list. */
function focusIn({ path, around, list }: Found, { value, put, ...focus }: Focus): Focus {
  if (list && !Array.isArray(value) && (typeof value !== 'string' || isWritten(value))) {
    const item = inAll(around.slice(list.around + 1), put(value));
    return { ...list, value: [item], put: (each) => inAll(around.slice(0, list.around), each) };
  }
  return { value, from: focus.from, path: joined(path, focus.path), put: (each) => inAll(around, put(each)) };
}

function joined(path: string, rest: string): string {
  return path === '' || rest === '' || rest.startsWith('[') ? path + rest : `${path}.${rest}`;
}

/** The members that paths begin with, together; each has to be small enough to be read. */
async function namedIn(text: string, { found, rest, wanted }: Looking): Promise<Part> {
  const firsts = rest.map((path) => parsePath(path)[0] as PathStep);
  const object = {};
  let place = 0;
  for await (const member of inTurns(text, found)) {
    const isNamed = firsts.some((step) =>
      'item' in step ? step.item === place : 'member' in step && step.member === member.name,
    );
    if (isNamed) {
      const json = text.slice(member.from, member.to);
      const fault = boundsFault(json);
      const { path } = inside(found, member, place);
      if (fault !== undefined) return { fault: `${JSON.stringify(path)} ${fault}: pick it alone.` };
      putMember(object, member.name ?? '', parseWritten(json));
    }
    place += 1;
  }
  return partOfRead(object, { found, rest, wanted });
}

/** Items or members from an offset on, as many as are wanted and have room, with what each path takes of them. */
async function pageOf(text: string, { found, rest, wanted }: Looking): Promise<Part> {
  const { offset = 0, limit = Number.POSITIVE_INFINITY, maxChars = MAX_CHARS, paths } = wanted;
  const isList = text.charAt(found.from) === '[';
  if (rest.some((path) => !path.startsWith('[]'))) {
    return {
      fault: OWN_SENTENCES.oneOrAll(JSON.stringify(found.path)),
    };
  }
  const page: MemberRange[] = [];
  let [total, left] = [0, maxChars];
  for await (const member of inTurns(text, found)) {
    const isNext = total === offset + page.length && page.length < limit;
    if (isNext) {
      left -= member.to - member.from + (member.name?.length ?? 0) + 4;
      if (left >= 0 || page.length === 0) page.push(member);
    }
    total += 1;
  }
  const said = { path: found.path, offset, next: offset + page.length, total };
  const notes = [sayPage(isList ? 'items' : 'members', said)];
  const object = {};
  const values = page.map((member, at) => {
    const { path } = inside(found, member, offset + at);
    const { value, isBegun } = readMember(text.slice(member.from, member.to), maxChars);
    if (isBegun) notes.unshift(OWN_SENTENCES.onlyBeginning(path, member.to - member.from));
    putMember(object, member.name ?? '', value);
    return { path, value };
  });
  const all = isList ? values.map(({ value }) => value) : object;
  const picked = rest.length === 0 ? { value: all, nowhere: [] } : pick(all, rest);
  if (picked.nowhere.length > 0) notes.unshift(nowhere(picked.nowhere, all));
  if (picked.value === undefined) return { fault: notes.join(' ') };
  const value = inAll(found.around, picked.value);
  const [first] = values;
  const path = first && (isExact(paths) ? first.path : `${found.path}[]`);
  return {
    value,
    notes,
    page: { count: page.length, ...(first && path !== undefined ? { first: { ...first, path } } : {}) },
  };
}

/** Of what is longer than there is room for, its beginning is made. */
function readMember(json: string, maxChars: number): { readonly value: unknown; readonly isBegun: boolean } {
  const begun = json.length > maxChars ? beginningOfJson(json, maxChars) : undefined;
  return begun ? { value: begun.value, isBegun: true } : { value: parseWritten(json), isBegun: false };
}
