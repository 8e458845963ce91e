/** Words that say nothing about what a tool does. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about all also am an and any are as at be been before but by can could did do does each etc for from
  had has have he her him his how i if in into is it its just like me more most my no not of on once one only
  or other our out over own please she should so some such than that the their them then there these they
  this those through to too up use used using very want was we were what when where which while who why
  will with would you your`.split(/\s+/),
);

/** Where camelCase, PascalCase and an acronym before a word come apart. */
const SEAMS = /(\p{Ll}|\d)(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const WORD = /[\p{L}\p{N}]+/gu;

/** The words of a name or a text: apart, in lower case, without plurals. */
export function wordsOf(text: string): string[] {
  const words = apart(text).toLowerCase().match(WORD) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).map(singular);
}

/** Words that are written as one and asked for by a part. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ['codebase', 'code'],
  ['filename', 'file'],
  ['filesystem', 'file'],
  ['hostname', 'host'],
  ['username', 'user'],
]);

/**
 * The words that the index has of a text: of those with a seam the whole too, since `GitHub` is `github` elsewhere, and
 * of those written as one the part that they are asked for by.
 */
export function termsOf(text: string): string[] {
  const whole = (text.match(WORD) ?? []).filter((word) => apart(word) !== word);
  const words = wordsOf(text);
  const parts = words.flatMap((word) => PARTS.get(word) ?? []);
  return [...words, ...whole.map((word) => singular(word.toLowerCase())), ...parts];
}

function apart(text: string): string {
  return text.replace(SEAMS, '$& ');
}

/** No more than plurals: what stems further takes words for one that mean different things. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  return /(xes|ches|shes|sses|zes)$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}
