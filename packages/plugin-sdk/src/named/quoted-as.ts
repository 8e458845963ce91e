/** Before a line, as reading tools show it. */
const NUMBER = /^\d{1,7}(?:\t|[:|] ?| {2})/;
const EXPLAINED_BY = [' — ', ' – ', ' // ', ' # '];

/** Around a text: emphasis, code, quotation marks, and what a link begins and ends with. */
const BEFORE = /^(?:[*_~`"'“‘[]|<[a-z]{1,10}>)/i;
const AFTER = /(?:[*_~`"'”’\]]|<\/[a-z]{1,10}>)$/i;
const LINK_END = /\]\([^()\s]{1,1000}\)$/;
const MAX_MARKS = 12;
const ESCAPED = /\\([\\`*_{}[\]()<>#+\-.!|~])/g;

/**
 * What a quote may be meant to be, what it says itself first: without the numbers of its lines, what explains it after
 * a dash or as a comment, and the Markdown around it.
 */
export function quotedAs(quote: string): ReadonlySet<string> {
  const lines = linesOf(quote).join('\n');
  const said = [quote, lines, beforeExplanation(quote)];
  const bare = said.map(eachWithoutMarks);
  return new Set([...said, ...bare, ...bare.map(beforeExplanation).map(eachWithoutMarks)]);
}

/** Each without white space around it, and without its number. */
export function linesOf(quote: string): string[] {
  return quote.split('\n').map((each) => each.trim().replace(NUMBER, ''));
}

function eachWithoutMarks(quote: string): string {
  return quote.split('\n').map(withoutMarks).join('\n');
}

/** One mark after the other, from each end, since only some stand in pairs around the text alone. */
function withoutMarks(line: string): string {
  let text = line.trim();
  for (let count = 0; count < MAX_MARKS; count += 1) {
    const next = text.replace(LINK_END, '').replace(BEFORE, '').replace(AFTER, '').trim();
    if (next === text) break;
    text = next;
  }
  return text.replace(ESCAPED, '$1');
}

function beforeExplanation(quote: string): string {
  const ends = EXPLAINED_BY.map((mark) => quote.indexOf(mark)).filter((at) => at !== -1);
  return ends.length === 0 ? quote : quote.slice(0, Math.min(...ends));
}
