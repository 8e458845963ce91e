import { fitting, jsonLength } from '@nexus/plugin-sdk';
import { beginningOf } from '@nexus/primitives';
import { type Hit, hitText } from './hits-text.ts';

/** What the answer says beside its hits. */
const BESIDE = 160;
/** What says of a hit that it is cut, and where the whole is, in text and structure. */
const ROOM_TO_SAY_SO = 240;

interface Hits<Found> {
  readonly matched: readonly Found[];
  /** What those link to. */
  readonly linked: readonly Found[];
}

interface Shown {
  /** Of text and structure, in characters. */
  readonly room: number;
  /** Puts a text where it can be read. @returns its URI */
  keep(text: string): Promise<string>;
}

/**
 * As many hits as one answer holds, each whole: of what matched from the front, then of what is linked. A first one that no
 * answer could hold has the beginning of its value, and says where all of it is.
 */
export async function shownHits<Found extends Hit>(
  { matched, linked }: Hits<Found>,
  { room, keep }: Shown,
): Promise<Hits<Found>> {
  const textOf = (hit: Found) => hitText(hit).length;
  const costOf = (hit: Found) => jsonLength(hit) + textOf(hit) + 2;
  const shown = fitting(matched, { room, textOf, beside: BESIDE / 2 });
  let left = shown.reduce((rest, hit) => rest - costOf(hit), room - BESIDE);
  const [first] = shown;
  if (left < 0 && first) return { matched: [await begun(first, { room: room - BESIDE, keep })], linked: [] };
  const end = linked.findIndex((hit) => {
    left -= costOf(hit);
    return left < 0;
  });
  return { matched: shown, linked: end < 0 ? linked : linked.slice(0, end) };
}

async function begun<Found extends Hit>(hit: Found, { room, keep }: Shown): Promise<Found> {
  const uri = await keep(hit.value);
  const without = { ...hit, value: '' };
  const left = room - jsonLength(without) - hitText(without).length - ROOM_TO_SAY_SO;
  const { text } = beginningOf(hit.value, { room: Math.max(0, left), isSaidTwice: true, uri });
  return { ...hit, value: text, valueChars: hit.value.length, whole: uri };
}
