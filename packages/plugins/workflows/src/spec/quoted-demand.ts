import { compact, findQuote, type Lines } from '@nexus/plugin-sdk/evidence';
import { type Numbered, numberedIn, prefixOf } from './numbering.ts';
import { readStructure } from './read-structure.ts';

/** A requirement as a model says that a specification has it. */
interface Quoting {
  readonly id: string;
  readonly quote: string;
  readonly line: number;
}

/** Where the words stand that ask for a requirement, or why they do not ask for it, to follow on its id. */
export type Demand = { readonly lines: Lines } | { readonly fault: string };

/**
 * Says of each requirement of a specification where the words stand that ask for it. A specification that numbers its
 * requirements has no others under such a number, and the words of one are no other's. A fragment of a sentence asks
 * for nothing, nor does a part of the words that another requirement quotes.
 */
export function demandsOf(spec: string, requirements: readonly Quoting[]): (requirement: Quoting) => Demand {
  const numbered = numberedIn(spec);
  const known = new Set(numbered.map(({ id }) => id));
  const prefixes = new Set([...known].map(prefixOf));
  const unnumbered = known.size === 0 ? [] : readStructure(spec).map(({ lines }) => lines);
  const quoted = requirements.map(({ quote }) => compact(quote));
  return ({ id, quote, line }) => {
    const lines = placeOf(
      { quote, line },
      spec,
      numbered.find((each) => each.id === id),
    );
    const words = JSON.stringify(quote.slice(0, MAX_TOLD_CHARS));
    if (!lines) return { fault: `quotes ${words}, which does not stand in the specification` };
    const owners = numbered.filter((each) => meets(each.lines, lines)).map((each) => each.id);
    if (owners.length > 0 && !owners.includes(id)) {
      return { fault: `quotes ${words}, words of ${owners.join(', ')}, which is another requirement` };
    }
    const isOfNumber = prefixes.has(prefixOf(id)) && /\d$/.test(id);
    if (known.size > 0 && !known.has(id) && (isOfNumber || !unnumbered.some((each) => meets(each, lines)))) {
      return { fault: `is none of the requirements that the specification numbers: ${listed([...known])}` };
    }
    if (wordsIn(quote) < MIN_WORDS && !isWhole(quote, spec, lines)) {
      return { fault: `quotes ${words}, too little to say what it asks for: quote the sentence` };
    }
    const own = compact(quote);
    const isPart = !known.has(id) && quoted.some((each) => each.length > own.length && each.includes(own));
    if (isPart) return { fault: `quotes ${words}, a part of the words that another requirement quotes` };
    return { lines };
  };
}

const MAX_TOLD_CHARS = 200;
const MOST_LISTED = 20;
/** Fewer stand in many sentences, and say what is asked only where they are one. */
const MIN_WORDS = 4;

/** Of several places one among the lines of its own number. */
function placeOf(
  { quote, line }: Pick<Quoting, 'quote' | 'line'>,
  spec: string,
  own: Numbered | undefined,
): Lines | undefined {
  const lines = findQuote(spec, quote, line);
  if (!own || !lines || meets(own.lines, lines)) return lines;
  return findQuote(spec, quote, own.lines.from);
}

const meets = (one: Lines, other: Lines) => one.from <= other.to && one.to >= other.from;

function listed(ids: readonly string[]): string {
  const more = ids.length - MOST_LISTED;
  return [...ids.slice(0, MOST_LISTED), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function wordsIn(text: string): number {
  const parts = new Intl.Segmenter('en', { granularity: 'word' }).segment(text);
  return [...parts].filter(({ isWordLike }) => isWordLike).length;
}

const MARKS_BEFORE = /^[^\p{L}\p{N}]+/u;
const MARKS_BEHIND = /(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/u;

/** Whether a quote is a sentence, or all that stands behind the marks of a list or a number. */
function isWhole(quote: string, spec: string, { from, to }: Lines): boolean {
  const bare = (text: string) => compact(text).replace(MARKS_BEFORE, '').replace(MARKS_BEHIND, '');
  const text = spec
    .split('\n')
    .slice(from - 1, to)
    .join(' ');
  const parts = [text, ...text.split(/[.!?:;|](?:\s|$)/), text.replace(/^[\s>|#*+-]*[^\s>|#*+-]\S*\s/, '')];
  return parts.some((part) => bare(part) === bare(quote));
}
