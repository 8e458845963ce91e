/** All that may look like anything else: whatever is neither printable ASCII nor white space of it. */
const OTHER = /[^\t\n\r -~]/;
/** What stands in a text and is not seen, or sits on the letter before it. (Unicode 15; UTS39) */
const UNSEEN = /(?![\t\n\r])[\p{M}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Single characters that are whole phrases of Arabic, of up to 18 letters, and no word of Nexus's. (Unicode, NFKD) */
const PHRASES = /[\ufdf0-\ufdfb]/g;

/** A text in one form of the many in which it would look the same: compatible characters as one, unseen ones left out. */
export function asItLooks(text: string): string {
  return OTHER.test(text) ? text.replace(PHRASES, '\u0634').normalize('NFKD').replace(UNSEEN, '') : text;
}

/** Characters of ASCII that nobody sees, and a model may read all the same. (Unicode, Tags) */
export const TAGS = /[\u{e0020}-\u{e007e}]/u;
const EACH_TAG = /[\u{e0020}-\u{e007e}]/gu;

/** A text with each of those as what it stands for. */
export function withTagsRead(text: string): string {
  return text.replace(EACH_TAG, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000));
}

/** Digits of other alphabets, of which some are drawn as letters are. */
export const DIGITS = /(?![0-9])\p{Nd}/u;
const EACH_DIGIT = /(?![0-9])\p{Nd}/gu;

/** A text with each of those as the digit that it is. */
export function withDigitsRead(text: string): string {
  return text.replace(EACH_DIGIT, (digit) => String(digitOf(digit.codePointAt(0) ?? 0)));
}

/** Those of an alphabet stand in a row, the zero first. (Unicode, 4.6) */
function digitOf(code: number): number {
  let value = 0;
  while (value < 9 && DIGITS.test(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}

/** Named references of HTML to what Nexus's words have beside letters. (HTML, 13.5) */
const NAMED: Readonly<Record<string, string>> = {
  lsqb: '[',
  lbrack: '[',
  colon: ':',
  lowbar: '_',
  sol: '/',
  bsol: '\\',
  period: '.',
  hellip: '…',
  mldr: '…',
  nbsp: ' ',
};
/**
 * By number or by name, of which the first letter is meant of a letter of mathematics, as of `&Nopf;`, and nothing of
 * what is not seen.
 */
const REFERENCE =
  /&(?:amp;){0,20}(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z])(?:opf|scr|fr)|(lsqb|lbrack|colon|lowbar|sol|bsol|period|hellip|mldr|nbsp)|shy|zwj|zwnj|lrm|rlm|NoBreak|ZeroWidthSpace|NegativeThinSpace|NegativeMediumSpace);?/gi;

/**
 * What stands between letters and is not shown: tags and comments of a page, what a terminal takes for a command, such as
 * a colour or the title of its window, a letter taken back. A quote stands only where a tag has one, after `=`: on the
 * other side of any other a text begins, before which a part may leave out some.
 */
const MARKUP =
  /<[^<>"]*(?:="[^<>"]*"[^<>"]*)*>|(?:\u001b\[|\u009b)[0-?]{0,20}[ -/]{0,5}[@-~]|(?:\u001b[\]P_^X]|[\u0090\u0098\u009d-\u009f])[^"\u0007\u001b\u0090\u0098\u009c-\u009f]*(?:\u0007|\u009c|\u001b\\?)|[^"\u0008]\u0008/g;
/** Without one of these, a text is read as it looks. */
const MAY_BE_READ_OTHERWISE = /[\\&%<\u001b\u0008\u0090\u0098\u009b\u009d-\u009f]/;

/**
 * What a reader of JSON, of a program or of a page makes of a text's escapes, however often they stand in each other, and
 * what a page or a terminal then shows of that; none where these are no other.
 */
export function asItIsRead(text: string): readonly string[] {
  if (!MAY_BE_READ_OTHERWISE.test(text)) return [];
  const plain = withoutPercents(withoutReferences(withoutEscapes(withoutReferences(text))));
  const shown = plain.replace(MARKUP, '');
  return [plain, ...(shown === plain ? [] : [shown])];
}

function withoutPercents(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/gi, (_, hex) => character(Number.parseInt(hex, 16)));
}

function withoutEscapes(text: string): string {
  return text
    .replace(/(?<!\\)\\+(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_, long, four, two) =>
      character(Number.parseInt(long ?? four ?? two, 16)),
    )
    .replace(/(?<!\\)\\+([0-3][0-7]{2})/g, (_, octal) => character(Number.parseInt(octal, 8)))
    .replace(/(?<!\\)\\+b/g, '\b')
    .replace(/(?<!\\)\\+[fnrt]/g, ' ')
    .replace(/\\+/g, '');
}

function withoutReferences(text: string): string {
  return text.replace(REFERENCE, (_, hex, decimal, letter, name) => {
    if (hex !== undefined) return character(Number.parseInt(hex, 16));
    if (decimal !== undefined) return character(Number.parseInt(decimal, 10));
    return letter ?? (name === undefined ? '' : (NAMED[name.toLowerCase()] ?? ''));
  });
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
