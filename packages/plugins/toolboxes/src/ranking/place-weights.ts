import { wordsOf } from './words.ts';

/** A guess doubles the score of what is there, the first one does more. */
const GUESSED = 1;
const FIRST_GUESSED = 1.5;
/** For a guess that is only a part of the name, or the name a part of it: `google` for `google-calendar`. */
const IN_PART = 0.5;

type Words = readonly string[];

/**
 * How much each place counts when these toolboxes were guessed: 1 for the one guessed first, less for others.
 * @param places the words of the names that each has: its toolbox's and its server's
 */
export function placeWeights(places: readonly (readonly Words[])[], guesses: readonly string[]): number[] {
  const meant = guesses.map(wordsOf);
  const greatest = guesses.length > 0 ? 1 + FIRST_GUESSED : 1;
  return places.map((names) => {
    const gains = meant.map((guess, index) => {
      const likeness = Math.max(...names.map((name) => likenessOf(guess, name)));
      return likeness * (index === 0 ? FIRST_GUESSED : GUESSED);
    });
    return (1 + Math.max(0, ...gains)) / greatest;
  });
}

function likenessOf(guess: Words, name: Words): number {
  if (guess.length === 0 || name.length === 0) return 0;
  if (guess.join('') === name.join('')) return 1;
  const isPart = guess.every((word) => name.includes(word)) || name.every((word) => guess.includes(word));
  return isPart ? IN_PART : 0;
}
