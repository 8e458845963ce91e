/** Scripts written without spaces, where words can't be told apart without a dictionary. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
const RUNS = new RegExp(
  `(?<unspaced>${UNSPACED.source}+)|[\\p{L}\\p{N}\\p{M}]+|\\p{Extended_Pictographic}`,
  'gu',
);
/** `getUserName` and `HTTPServer2` into their parts. */
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const LONGEST = 64;

/**
 * Text as words to index: no case, no accents, identifiers whole and in parts, unspaced scripts as pairs of
 * characters, each emoji a word. Made here and not in the database, so that both databases find the same.
 * No word holds a quote, an operator or a space, so none needs escaping.
 */
export function toWords(text: string): string[] {
  const words: string[] = [];
  for (const { 0: run, groups } of text.normalize('NFKC').matchAll(RUNS)) {
    if (groups?.unspaced !== undefined) words.push(...pairs(run));
    else words.push(...identifier(run));
  }
  return words.filter((word) => word !== ''); // an accent that stands alone folds to nothing
}

function identifier(run: string): string[] {
  const parts = run.split(CAMEL);
  return (parts.length > 1 ? [run, ...parts] : parts).map(fold);
}

function fold(word: string): string {
  const plain = word
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
  return [...plain].slice(0, LONGEST).join('');
}

/** `abc` as `ab`, `bc`, `c`: the last alone, so that a search for one character finds it by prefix. */
function pairs(run: string): string[] {
  const characters = [...run];
  return characters.map((character, index) => character + (characters[index + 1] ?? ''));
}
