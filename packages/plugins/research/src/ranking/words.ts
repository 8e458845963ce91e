/** Words that say nothing of what a text is about. */
const STOP = new Set(
  'a about above after again against all also am an and any are as at be because been before being below between both but by can could did do does doing down during each et few for from further had has have having he her here hers him his how however i if in into is it its itself just may me might more most must my new no nor not of off on once only or other our ours out over own paper papers per propose proposed present presented same she should show shown shows so some such than that the their theirs them then there these they this those through thus to too two under until up upon use used using very via was we were what when where which while who whom why will with within without work would yet you your yours'.split(
    ' ',
  ),
);
const MAX_WORD = 40;

/** Words of a text as they are compared: lower case, without accents, plurals and words of grammar. */
export function words(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const found = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  return found.flatMap((word) => {
    if (word.length > MAX_WORD || STOP.has(word)) return [];
    if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+$/u.test(word)) return pairs(word);
    return word.length < 2 ? [] : [singular(word)];
  });
}

/** Scripts without spaces, by two characters at a time. */
function pairs(word: string): string[] {
  const characters = [...word];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}
