import { fewerText } from './fewer.ts';
import { firstCharacters } from './first-characters.ts';
import { lengthUpTo } from './length-up-to.ts';
import { OWN_SENTENCES } from './own-sentences.ts';
import { shareOut } from './share-out.ts';

/** A text that is no longer is never begun: an id, a state, a moment. As JSON, in characters. */
const SHORT_CHARS = 100;
/** What says of a text how much of it is left out. */
const LEFT_OUT_CHARS = 40;
/** What says which lists have fewer items, at most. */
const FEWER_CHARS = 150;

export interface Begun {
  /** Which lists have how many of how many items. */
  readonly leftOut?: string;
  /** Where all of it is. */
  readonly whole: string;
}

/** Which members of an object are there, of the beginnings of all. */
type Kept = (members: readonly [string, unknown][], room: number) => readonly [string, unknown][];

const allMembers: Kept = (members) => members;

const firstMembers: Kept = (members, room) => {
  let left = room;
  const end = members.findIndex(([name, each]) => {
    left -= lengthUpTo(name, left) + lengthUpTo(each, left) + 2;
    return left < 0;
  });
  return end < 0 ? members : members.slice(0, end);
};

/**
 * An answer that is longer than any host shows, with what fits of it: all of its members, of lists the first items, and
 * of long texts the beginning, each with how much is left out. Nothing is cut in its middle.
 * @param maxChars of it as JSON, where that holds its members
 * @returns with all members of what is inside of it, too; and with the first of those, for where that has no room
 */
export function begunAnswer<Answer extends object>(
  answer: Answer,
  maxChars: number,
  whole: string,
): readonly (Answer & Begun)[] {
  return [allMembers, firstMembers].map((kept) => {
    for (let room = maxChars; ; ) {
      const begun = Object.fromEntries(begunMembers(answer, room, kept)) as Answer;
      const fewer = fewerText(answer, begun, { room: Math.min(FEWER_CHARS, maxChars / 4) });
      const said = { ...begun, ...(fewer === undefined ? {} : { leftOut: fewer }), whole };
      const { length } = JSON.stringify(said);
      if (length <= maxChars || room < 1) return said;
      room = Math.floor(room * Math.min(0.8, maxChars / length));
    }
  });
}

function begunMembers(value: object, room: number, kept: Kept): [string, unknown][] {
  const entries = Object.entries(value);
  const lengths = entries.map(([name, each]) => lengthUpTo(name, room) + lengthUpTo(each, room) + 2);
  const shares = shareOut(lengths, room);
  return entries.map(([name, each], at) => [
    name,
    beginning(each, Math.max(0, (shares[at] ?? 0) - lengthUpTo(name, room) - 2), kept),
  ]);
}

function beginning(value: unknown, room: number, kept: Kept): unknown {
  if (lengthUpTo(value, room) <= room) return value;
  if (typeof value === 'string') return beginningOfText(value, room);
  if (Array.isArray(value)) return firstItems(value, room, kept);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(kept(begunMembers(value, room, kept), room - 1));
}

function beginningOfText(text: string, room: number): string {
  const length = lengthUpTo(text, SHORT_CHARS);
  if (length <= SHORT_CHARS) return text;
  const jsonLength = (part: string) => JSON.stringify(part).length;
  const begun = firstCharacters(text, Math.max(SHORT_CHARS, room) - LEFT_OUT_CHARS, jsonLength);
  return begun + OWN_SENTENCES.moreCharacters(text.length - begun.length);
}

/** Each whole, or the first by its beginning where that has room. */
function firstItems(items: readonly unknown[], room: number, kept: Kept): readonly unknown[] {
  let left = room;
  const end = items.findIndex((item) => {
    left -= lengthUpTo(item, left) + 1;
    return left < 0;
  });
  if (end !== 0) return end < 0 ? items : items.slice(0, end);
  const first = beginning(items[0], room - 2, kept);
  return lengthUpTo(first, room) <= room - 2 ? [first] : [];
}
