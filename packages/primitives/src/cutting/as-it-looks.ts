/** All that may look like anything else: whatever is neither printable ASCII nor white space of it. */
const OTHER = /[^\t\n\r -~]/;
/** What stands in a text and is not seen, or sits on the letter before it. (Unicode 15; UTS39) */
const UNSEEN = /(?![\t\n\r])[\p{M}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A text in one form of the many in which it would look the same: compatible characters as one, unseen ones left out. */
export function asItLooks(text: string): string {
  return OTHER.test(text) ? text.normalize('NFKD').replace(UNSEEN, '') : text;
}

/** The same of what a reader of JSON makes of its escapes, however often it stands in a text of JSON in a text. */
export function asItIsRead(text: string): string {
  const read = text
    .replace(/(?<!\\)\\+u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/(?<!\\)\\+[bfnrt]/g, ' ')
    .replace(/\\+/g, '');
  return asItLooks(read);
}

/** Letters of other alphabets that look like these, after compatible ones are one. (UTS39, confusables) */
const ALIKE: Readonly<Record<string, string>> = {
  a: 'аɑαАΑ',
  c: 'сϲСϹᴄ',
  e: 'еєεЕΕҽ℮ᴇ',
  f: 'ƒϝϜ',
  g: 'ɡցԍԌ',
  h: 'һհнНΗʜ',
  i: 'іıιІΙӏɩ',
  l: 'ӏІΙוߊ',
  n: 'ոпռΝɴ',
  o: 'оοօОΟՕσᴏ',
  r: 'гᴦʀ',
  s: 'ѕЅꜱՏ',
  t: 'тτТΤᴛ',
  u: 'սυцᴜՍ',
  w: 'ԝшաѡԜᴡ',
  x: 'хχХΧ×',
};

/** The pattern of a word, in whatever letters that look like its own. */
export function lettersLike(word: string): string {
  return [...word].map((letter) => `[${letter}${ALIKE[letter.toLowerCase()] ?? ''}]`).join('');
}
