/** How much there is of everything, and how long each of it is. */
export interface Size {
  readonly name: string;
  readonly count: number;
  readonly chars: number;
  readonly maxChars: number;
  /** Asked in every check; the others only in the slow step. */
  readonly inEveryCheck?: true;
}

/** Text with what JSON escapes. */
export const words = (chars: number) => 'so "it" goes \\ on, '.repeat(Math.ceil(chars / 18)).slice(0, chars);
