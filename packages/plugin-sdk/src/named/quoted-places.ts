import { findWords } from './find-words.ts';
import type { NamesLookedUp } from './look-up-names.ts';
import { namesIn } from './names-in.ts';
import { placesSaidIn, restOf } from './said-places.ts';
import type { FileLines } from './seen-lines.ts';

/**
 * The places that a text names, that are there, and of which it says the words: those that stand at the place or near
 * it, however they are marked in the text.
 */
export function quotedPlaces(
  text: string,
  { places, windows = [] }: Pick<NamesLookedUp, 'places' | 'windows'>,
): FileLines[] {
  const said = wordsBesidePlaces(text);
  return places.filter(({ file, from, to }) => {
    const window = windows.find((each) => each.file === file && each.from <= from && each.to >= to);
    if (!window) return false;
    const there = window.text.replace(/^\d+\t/gm, '');
    return said.some((words) => findWords(there, words, from - window.from + 1) !== undefined);
  });
}

/** Whether a text quotes words, or only names places. */
export function saysWords(text: string): boolean {
  return /[`"“«]/.test(wordsBesidePlaces(text).join(' '));
}

/** What is quoted after a place that begins a line, and all that stands between the places. */
function wordsBesidePlaces(text: string): string[] {
  const places = namesIn(text).filter(({ kind, line }) => kind === 'file' && line !== undefined);
  const ends = [...places.map(({ from }) => from), text.length];
  const between = ends.map((end, at) => text.slice(places[at - 1]?.to ?? 0, end));
  const below = [...placesSaidIn(text.split('\n'))].map(({ quote }) => quote);
  return [...below, ...between.flatMap((words) => [restOf(words.trim()), words])];
}
