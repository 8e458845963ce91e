import { jsonLength } from '@nexus/plugin-sdk';
import { firstCharacters } from '@nexus/primitives';
import { type LongPart, valueText, valueUri } from '../resources/task-value.ts';

/** Characters of a value that is longer than there is room. */
const START_CHARACTERS = 1_000;

/** From the shortest way to tell something to the whole of it. */
export type Ways<Told> = readonly [Told, ...Told[]];

/** The same, told under a name of its own in one place. */
export interface ToldValue {
  readonly [name: string]: unknown;
}

/**
 * A long value of a task: its length as it is read and where all of it is, that with its beginning, or the whole.
 * @param json as it is stored; @param name what it is called in the answer
 */
export function waysOf(
  json: string,
  { taskId, part, name = part }: { readonly taskId: string; readonly part: LongPart; readonly name?: string },
): Ways<ToldValue> {
  const value = JSON.parse(json) as unknown;
  const whole = { [name]: value };
  const long = { [`${name}Chars`]: valueText(value).length, [`${name}Uri`]: valueUri(taskId, part) };
  if (jsonLength(whole) <= jsonLength(long)) return [whole];
  const start = firstCharacters(typeof value === 'string' ? value : json, START_CHARACTERS, jsonLength);
  return [long, { ...long, [`${name}Start`]: start }, whole];
}

/** The same ways, each with what stands around it. */
export function around<Told, Around>(
  [least, ...more]: Ways<Told>,
  put: (told: Told) => Around,
): Ways<Around> {
  return [put(least), ...more.map(put)];
}

/** Each told as fully as there is room for, the first before the next. @param room characters of JSON, of all together */
export function toldWithin<Told>(all: readonly Ways<Told>[], room: number): Told[] {
  let left = room - all.reduce((sum, [least]) => sum + jsonLength(least) + 1, 0);
  return all.map(([least, ...more]) => {
    const fuller = more.findLast((way) => jsonLength(way) - jsonLength(least) <= left);
    left -= fuller === undefined ? 0 : jsonLength(fuller) - jsonLength(least);
    return fuller ?? least;
  });
}
