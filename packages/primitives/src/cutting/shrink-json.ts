import { isHalf } from '../is-half.ts';
import { isWritten, writtenJson } from '../written-json.ts';
import { fewerText } from './fewer.ts';
import { firstCharacters } from './first-characters.ts';
import { type JsonBlock, jsonBlocks } from './json-blocks.ts';
import { leftOut } from './left-out.ts';
import { lengthUpTo } from './length-up-to.ts';
import { OWN_SENTENCES } from './own-sentences.ts';
import { shareOut } from './share-out.ts';

/** Below this a share can't hold a value that says anything; what has no room is left out from the end. */
const MIN_SHARE_CHARS = 16;

/**
 * A JSON value of the same shape in at most `maxChars` characters of JSON, where that holds anything: long texts keep
 * head and tail, lists their first items, objects their keys as long as there is room. Numbers, booleans and null stay
 * as they are.
 * @param where said in the place of what is cut from a text
 */
export function shrinkJson(value: unknown, maxChars: number, where: string): unknown {
  for (let room = maxChars; ; ) {
    const shown = shrunk(value, room, where);
    const { length } = writtenJson(shown);
    if (length <= maxChars || room < 1) return shown;
    // What has no room for less than it is, such as a number or a name, takes it from the others.
    room = Math.floor(room * Math.min(0.8, maxChars / length));
  }
}

function shrunk(value: unknown, maxChars: number, where: string): unknown {
  if (lengthUpTo(value, maxChars) <= maxChars) return value;
  if (isWritten(value)) return value;
  if (typeof value === 'string') return shrinkText(value, maxChars, where);
  if (Array.isArray(value)) return shrinkList(value, maxChars, where);
  if (typeof value === 'object' && value !== null) return shrinkObject(value, maxChars, where);
  return value;
}

/** What is said in the place of what is left out has a length of its own: a text that it would lengthen stays. */
function shrinkText(text: string, maxChars: number, where: string): string {
  const blocks = jsonBlocks(text);
  const leastChars = leftOut(text.length, text.length, where).length + MIN_SHARE_CHARS;
  for (let room = maxChars; room > leastChars; ) {
    const cut = cutMember(text, room, { uri: where, blocks });
    // As JSON a quote takes two characters, and some take six.
    const chars = JSON.stringify(cut).length;
    if (chars <= maxChars) return cut.length < text.length ? cut : text;
    room = Math.floor(room * Math.min(0.9, maxChars / chars));
  }
  const begun = beginning(text, maxChars, blocks);
  return begun.length < text.length ? begun : text;
}

/** Where there is no room to say where the whole is, which is said beside the value. */
function beginning(text: string, maxChars: number, blocks: readonly JsonBlock[]): string {
  const said = (head: string) => head + OWN_SENTENCES.moreCharacters(text.length - head.length);
  const room = maxChars - JSON.stringify(said('')).length;
  const head = firstCharacters(text, Math.max(0, room), (part) => JSON.stringify(part).length);
  return said(head.slice(0, blockAt(blocks, head.length)?.from));
}

/** As JSON: of what is no longer, an id, a time or an address, a part is worth nothing. It is whole, or not there. */
const SHORT_CHARS = 90;

function isShort(chars: number): boolean {
  return chars <= SHORT_CHARS;
}

/** Of an item of a list: with so much for each, all are kept, and shortened in the place of left out. */
const MIN_ITEM_CHARS = 1_000;

function shrinkList(items: readonly unknown[], maxChars: number, where: string): unknown[] {
  // After each stands a comma or the closing bracket.
  let left = maxChars - 1;
  if (items.length * MIN_ITEM_CHARS <= maxChars) {
    const lengths = items.map((item) => lengthUpTo(item, maxChars) + 1);
    const shares = shareOut(lengths, left);
    return items.map((item, index) => shrunk(item, Math.max(0, (shares[index] ?? 0) - 1), where));
  }
  const kept: unknown[] = [];
  for (const item of items) {
    left -= lengthUpTo(item, left) + 1;
    if (left < 0) break;
    kept.push(item);
  }
  if (kept.length > 0 || maxChars < MIN_SHARE_CHARS) return kept;
  // One long item says more than an empty list, and a part of a short one no more.
  return items
    .slice(0, 1)
    .filter((item) => typeof item !== 'string' || !isShort(lengthUpTo(item, SHORT_CHARS)))
    .map((item) => shrunk(item, maxChars - 2, where));
}

function shrinkObject(value: object, maxChars: number, where: string): object {
  // A name that leaves no room for anything beside it is no name.
  const maxKeyChars = Math.min(MAX_KEY_CHARS, maxChars / 2);
  const entries = Object.entries(value).filter(([key]) => key.length <= maxKeyChars);
  const first = entries.slice(0, Math.max(0, Math.floor(maxChars / MIN_SHARE_CHARS)));
  const members = first.map(([key, each]) => {
    const length = lengthUpTo(key, maxChars) + lengthUpTo(each, maxChars) + 2;
    return { length, isWhole: isShort(length) && (typeof each !== 'object' || each === null) };
  });
  const shares = sharesOf(members, maxChars - 1);
  return Object.fromEntries(
    first.flatMap(([key, each], index) => {
      const share = shares[index];
      if (share === undefined) return [];
      return [[key, shrunk(each, Math.max(0, share - lengthUpTo(key, maxChars) - 2), where)]];
    }),
  );
}

interface Member {
  readonly length: number;
  /** A text or a number that is short. */
  readonly isWhole: boolean;
}

/**
 * Short texts have all that they need or, where there is not as much, nothing, the first before the next. So have short
 * lists and objects, where there is room for all of them; what is left is shared by the others.
 */
function sharesOf(members: readonly Member[], maxChars: number): (number | undefined)[] {
  let left = maxChars;
  const shares = members.map(({ length, isWhole }) => {
    if (!isWhole || length > left) return undefined;
    left -= length;
    return length;
  });
  const lists = members.map(({ length, isWhole }) => (!isWhole && isShort(length) ? length : 0));
  const all = lists.reduce((sum, length) => sum + length, 0);
  const kept = all <= left ? lists : lists.map(() => 0);
  const others = shareOut(
    members.map(({ length, isWhole }, at) => (isWhole || kept[at] ? 0 : length)),
    left - (all <= left ? all : 0),
  );
  return members.map(({ isWhole }, at) => (isWhole ? shares[at] : kept[at] || others[at]));
}

const MAX_KEY_CHARS = 500;

/** A text inside a structure, with one line where it is cut, which takes its room of what stays. */
function cutMember(
  text: string,
  keepChars: number,
  { uri, blocks }: { readonly uri: string; readonly blocks: readonly JsonBlock[] },
): string {
  const note = leftOut(text.length, text.length, uri).length;
  const { head, tail, left, also } = endsOf(text, Math.max(keepChars - note, keepChars / 4), { uri, blocks });
  return `${head}\n${leftOut(left, text.length, uri, also)}\n${tail}`;
}

/** How far a cut moves back, at most, to fall between two lines. */
const MAX_MOVE_CHARS = 200;

interface Ends {
  readonly head: string;
  readonly tail: string;
  /** How many characters are in neither. */
  readonly left: number;
  /** Which lists of the JSON that a cut falls into have how many of how many items. */
  readonly also: string;
}

/**
 * Beginning and end of a text. JSON that stands in it is cut by its shape, or left out whole.
 * @param blocks the JSON in it
 */
export function endsOf(
  text: string,
  keepChars: number,
  { uri, blocks }: { readonly uri: string; readonly blocks: readonly JsonBlock[] },
): Ends {
  const half = Math.floor(keepChars / 2);
  const [headTo, tailFrom] = [headEnd(text, half), tailStart(text, text.length - half)];
  const [first, last] = [blockAt(blocks, headTo), blockAt(blocks, tailFrom)];
  const tailBegins = Math.max(last?.to ?? tailFrom, first?.to ?? 0);
  const tail = text.slice(tailBegins).replace(/^\n/, '');
  if (!first) return ended({ head: text.slice(0, headTo), tail }, text.length);
  const room = first === last ? keepChars - first.from - tail.length : headTo - first.from;
  const shown = shrinkJson(first.value, Math.max(0, room), uri);
  const fewer = fewerText(first.value, shown, { room: keepChars / 4 });
  const head = text.slice(0, first.from) + writtenJson(shown);
  return ended({ head, tail }, text.length, fewer === undefined ? '' : `; it has here ${fewer}`);
}

function ended({ head, tail }: Pick<Ends, 'head' | 'tail'>, total: number, also = ''): Ends {
  // The line break before what is left out stands before the note of it.
  return {
    head: head.replace(/\n$/, ''),
    tail,
    left: Math.max(0, total - head.length - tail.length),
    also,
  };
}

function blockAt(blocks: readonly JsonBlock[], at: number): JsonBlock | undefined {
  return blocks.find(({ from, to }) => from < at && at < to);
}

function headEnd(text: string, at: number): number {
  const newline = text.lastIndexOf('\n', at);
  if (newline > at - MAX_MOVE_CHARS && newline > 0) return newline + 1;
  return isHalf(text, at) ? at - 1 : at;
}

function tailStart(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  if (newline !== -1 && newline < at + MAX_MOVE_CHARS && newline < text.length - 1) return newline + 1;
  return isHalf(text, at) ? at + 1 : at;
}
