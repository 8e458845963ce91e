import { toWords } from './words.ts';

/** More distinct words than this add nothing but time. */
const MOST_WORDS = 48;
const SHORTEST_PREFIX = 3;

/** Words that nearly every English text has; left out unless the query has no other. */
const COMMON = new Set(
  'a an and are as at be by do does did for from has have how i in is it its of on or our that the this to was we were what when where which who why will with you'.split(
    ' ',
  ),
);

/** One word to look for: as it is, and as the beginning of a longer one. */
export interface Term {
  readonly word: string;
  readonly prefix?: string;
}

/** What to look for. No terms: everything, newest first. */
export interface ParsedQuery {
  readonly terms: readonly Term[];
  /** Words of it that are not looked for, since it has so many. */
  readonly leftOut: readonly string[];
  /** From `type:name`: only entries of this type. */
  readonly type?: string;
}

/** Reads any text as a query; there is no syntax that could be wrong. */
export function parseQuery(query: string): ParsedQuery {
  const type = /(?:^|\s)type:(\S+)/iu.exec(query);
  const text = type ? query.replace(type[0], ' ') : query;
  const words = [...new Set(toWords(text))];
  const telling = words.filter((word) => !COMMON.has(word));
  const wanted = telling.length > 0 ? telling : words;
  const terms = wanted.slice(0, MOST_WORDS).map(toTerm);
  return {
    terms,
    leftOut: wanted.slice(MOST_WORDS),
    ...(type?.[1] === undefined ? {} : { type: type[1].toLowerCase() }),
  };
}

function toTerm(word: string): Term {
  const isUnspaced = !/^[\p{Script_Extensions=Latin}\p{N}]/u.test(word);
  if (word.length < SHORTEST_PREFIX && !isUnspaced) return { word };
  return { word, prefix: stem(word) };
}

/** `deployed`, `caches` and `testing` also find `deploy`, `cache` and `tests`. */
function stem(word: string): string {
  const short = word.replace(/(?:ing|ed|es|s)$/, '');
  return short.length >= SHORTEST_PREFIX + 1 ? short : word;
}
