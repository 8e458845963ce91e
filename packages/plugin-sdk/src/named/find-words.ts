import { compact, findQuote, type Lines } from './find-quote.ts';
import { linesOf, quotedAs } from './quoted-as.ts';

/**
 * Where words that somebody says to stand in a text do so: as they are said, or without what is put around them, marks
 * of what is left out among that; else what of them stands between quotation marks; else the whole line that is named,
 * wherever in the words it stands. Short words count only where they are a whole line.
 * @param line of several places the one nearest to it
 */
export function findWords(text: string, words: string, line: number): Lines | undefined {
  return (
    firstFound(text, quotedAs(words), line) ??
    withGaps(text, words, line) ??
    firstFound(text, betweenMarks(words), line) ??
    wholeLine(text, words, line)
  );
}

/** Shorter words, and shorter lines, stand in any text. */
const MIN_TELLING_CHARS = 8;

/** Whether words are long enough to say something by themselves. */
function isTelling(words: string): boolean {
  return compact(words).length >= MIN_TELLING_CHARS;
}

function firstFound(text: string, quotes: Iterable<string>, line: number): Lines | undefined {
  for (const quote of quotes) {
    const found = findQuote(text, quote, line);
    if (found && (isTelling(quote) || isWhole(text, quote, found))) return found;
  }
  return undefined;
}

function isWhole(text: string, quote: string, { from, to }: Lines): boolean {
  return (
    compact(
      text
        .split('\n')
        .slice(from - 1, to)
        .join('\n'),
    ) === compact(quote)
  );
}

/** Lines that stand for others. */
const GAPS = ['...', '…', '// ...', '// …', '# ...', '# …'];

function withGaps(text: string, words: string, line: number): Lines | undefined {
  const lines = linesOf(words);
  const gaps = lines.flatMap((each, index) => (GAPS.includes(each) ? [index] : []));
  if (gaps.length === 0) return undefined;
  const bounds = [-1, ...gaps, lines.length];
  const parts = bounds.slice(1).map((end, index) => lines.slice((bounds[index] ?? 0) + 1, end).join('\n'));
  const places = parts.map((part) => findQuote(text, part, line));
  return places.every((place) => place !== undefined) ? places[0] : undefined;
}

/** An apostrophe is a mark like any other: what stands between two of them, and nowhere else, counts for nothing. */
function betweenMarks(words: string): string[] {
  const straight = words.replace(/[“”«»]/g, '"').replace(/[‘’]/g, "'");
  return ['`', '"', "'"].flatMap((mark) => {
    const parts = straight.split(mark).slice(1, -1);
    return [parts.join(mark), ...parts];
  });
}

function wholeLine(text: string, words: string, line: number): Lines | undefined {
  const there = text.split('\n')[line - 1] ?? '';
  return isTelling(there) && compact(words).includes(compact(there)) ? { from: line, to: line } : undefined;
}
