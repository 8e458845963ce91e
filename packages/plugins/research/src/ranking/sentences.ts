export interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
/** Ends of sentences to a segmenter, and none to a reader. */
const ABBREVIATION =
  /(?:\b(?:e\.g|i\.e|et al|vs|cf|Fig|Figs|Eq|Eqs|Sec|Ref|Refs|Dr|Prof|approx|resp|etc|No|Vol|pp|[A-Z])\.)\s*$/;

/** Sentences of a text, with where they stand in it. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  let whole = '';
  const end = () => {
    const lead = whole.length - whole.trimStart().length;
    const trimmed = whole.trim();
    if (trimmed !== '') {
      sentences.push({ text: trimmed, start: start + lead, end: start + lead + trimmed.length });
    }
    start += whole.length;
    whole = '';
  };
  // A line's end within a sentence ends none, whatever the segmenter takes it for.
  for (const { segment } of segmenter.segment(text.replace(/[\r\n]/g, ' '))) {
    whole += segment;
    if (!ABBREVIATION.test(whole.slice(-20))) end();
  }
  end();
  return sentences.map((sentence) => ({ ...sentence, text: text.slice(sentence.start, sentence.end) }));
}
