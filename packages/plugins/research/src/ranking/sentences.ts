export interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
/** Ends of sentences to a segmenter, and none to a reader. */
const ABBREVIATION =
  /(?:\b(?:e\.g|i\.e|et al|vs|cf|Fig|Figs|Eq|Eqs|Sec|Ref|Refs|Dr|Prof|approx|resp|etc|No|Vol|pp|[A-Z])\.)\s*$/;

/** A quotation that is open for longer was never closed. */
const MAX_QUOTATION_CHARS = 600;

/** Whether a text ends inside of what it quotes. */
function isQuoting(text: string): boolean {
  const [opened, straight] = [text.lastIndexOf('“'), text.lastIndexOf('"')];
  if (opened > text.lastIndexOf('”')) return text.length - opened <= MAX_QUOTATION_CHARS;
  const isOpen = (text.match(/"/g)?.length ?? 0) % 2 === 1;
  return isOpen && text.length - straight <= MAX_QUOTATION_CHARS;
}

/** Sentences of a text, with where they stand in it; what one of them quotes is a part of it. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  let whole = '';
  let hasQuoted = false;
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
    // After what it quotes a sentence may go on, with a small letter.
    if (hasQuoted && !/^\p{Ll}/u.test(segment)) end();
    whole += segment;
    hasQuoted = !isQuoting(whole) && /["”]\s?$/.test(whole);
    if (!hasQuoted && !isQuoting(whole) && !ABBREVIATION.test(whole.slice(-20))) end();
  }
  end();
  return sentences.map((sentence) => ({ ...sentence, text: text.slice(sentence.start, sentence.end) }));
}
