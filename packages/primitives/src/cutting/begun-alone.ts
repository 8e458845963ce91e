import { firstCharacters } from './first-characters.ts';
import { OWN_SENTENCES } from './own-sentences.ts';
import { UNKEPT } from './own-words.ts';
import { shareOut } from './share-out.ts';

/** What says of a text how much of it is left out. */
const LEFT_OUT_CHARS = 40;

/** A text that is no longer is never cut: an id, a state, a moment. */
const SHORT_CHARS = 100;

export interface RoomAlone {
  /** For one item, in characters of JSON. */
  readonly room: number;
  /** Puts a text where it can be read. @returns its URI */
  keep(json: string): Promise<string>;
}

/**
 * The items, of which one that is alone and too long for any answer has the beginnings of its longest texts, each with
 * how much of it is left out, and under `whole` where all of it is.
 */
export async function begunAlone<Item extends object>(
  items: readonly Item[],
  { room, keep }: RoomAlone,
): Promise<(Item & { readonly whole?: string })[]> {
  const [only, other] = items;
  if (!only || other || jsonLength(only) <= room) return [...items];
  const begun = withShorterTexts({ ...only, whole: UNKEPT }, room);
  return [{ ...begun, whole: await keep(JSON.stringify(only)) }];
}

/** The same with its longest texts cut, so that it has no more characters of JSON, if these are what makes it long. */
function withShorterTexts<Value>(value: Value, room: number): Value {
  const texts: string[] = [];
  const bare = mapTexts(value, (text) => {
    texts.push(text);
    return '';
  });
  const lengths = texts.map((text) => jsonLength(text) - 2);
  const shares = shareOut(lengths, Math.max(0, room - jsonLength(bare)));
  let at = -1;
  return mapTexts(value, (text) => {
    at += 1;
    const share = Math.max(SHORT_CHARS, shares[at] ?? 0);
    if (share >= (lengths[at] ?? 0)) return text;
    const begun = firstCharacters(text, share - LEFT_OUT_CHARS + 2, jsonLength);
    return begun + OWN_SENTENCES.moreCharacters(text.length - begun.length);
  }) as Value;
}

function mapTexts(value: unknown, to: (text: string) => string): unknown {
  if (typeof value === 'string') return value === UNKEPT ? value : to(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, to)]));
}

function jsonLength(value: unknown): number {
  return JSON.stringify(value).length;
}
