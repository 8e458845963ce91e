/** What becomes of what meets a limit, where no message names the constant itself. */
export const KINDS = {
  refused: 'An error or a note says it in words that the constant is not written into.',
  shown: 'A text ends in an ellipsis, or says how much of it is left out.',
  counted: 'The answer says beside what it has how many there are, or that there are more.',
  asked: 'It stands in what is asked for: in a schema, or in what a model may spend on one answer.',
  named: 'A name is made shorter, and stands for the whole one.',
  judged: 'A guess or a look-up goes no further, and then takes the careful side.',
  kept: 'What is kept for later is dropped or written elsewhere; the answer of today is whole.',
  inner: 'A pace, a wait, a try or a batch: nobody gets less.',
  none: 'No limit, by a name that looks like one.',
} as const;

export type Kind = keyof typeof KINDS;

/** By file and name. */
export type LimitTable = Readonly<Record<string, Readonly<Record<string, Kind>>>>;
