/** What stands in a gap of a sentence: a number, or words of whatever sort and length. */
type Gap = 'number' | 'words';

type Filled<Gaps extends readonly Gap[]> = {
  readonly [At in keyof Gaps]: Gaps[At] extends 'number' ? number : string;
};

/** A sentence that Nexus says, as a function of what stands in its gaps, and what is said whatever stands there. */
export interface Sentence<Gaps extends readonly Gap[] = readonly Gap[]> {
  (...filled: Filled<Gaps>): string;
  readonly texts: readonly string[];
  readonly gaps: Gaps;
}

/** A tag: `` sentence`offset ${'number'} gives the next` `` says `offset 13 gives the next` of 13. */
export function sentence<const Gaps extends readonly Gap[]>(
  { raw }: TemplateStringsArray,
  ...gaps: Gaps
): Sentence<Gaps> {
  const say = (...filled: Filled<Gaps>) => String.raw({ raw }, ...filled);
  return Object.assign(say, { texts: raw, gaps });
}
