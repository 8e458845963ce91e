import { cutEndCounted } from './cut-end.ts';

/**
 * What a terminal or a dialogue would act on, hide, or show as something else: control characters (C0, C1, DEL), what
 * turns the direction of writing, zero-width and other invisible characters, halves of surrogate pairs, what is not
 * assigned or private, and spaces that are none of the keyboard's. Part of a picture such as a family or a flag it is
 * none of these. (Unicode 15, general category C and Default_Ignorable_Code_Point; TR36 and TR39.)
 */
const ODD =
  /(?<!\p{Extended_Pictographic})\uFE0F|(?<!\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier})\u200D|\u200D(?!\p{Extended_Pictographic})|(?![\uFE0F\u200D])[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Foreign text as one line for a person: what is odd stands there as an escape (`\u009b`), and nothing is deleted. */
export function visibleLine(text: string): string {
  return text.replace(ODD, (odd) => SHORT[odd] ?? escaped(odd));
}

/** The same of what is only to be recognised: cut after so many characters, and how much is left out is said. */
export function visibleStart(text: string, maxChars: number): string {
  return visibleLine(cutEndCounted(text, maxChars));
}

/** The same of a text with lines of its own: line ends and tabs stay what they are. */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(ODD, (odd) => (odd === '\n' || odd === '\t' ? odd : escaped(odd)));
}

/** A value as JSON in one line that parses back to just that value, what is odd in it escaped. */
export function visibleJson(value: unknown): string {
  // JSON.stringify escapes C0 alone; \u0085 and the like mean the same to whoever parses them.
  return (JSON.stringify(value) ?? 'undefined').replace(ODD, escaped);
}

/** As a shell would need it, so that what is one argument is seen to be one: bare, or as {@link visibleJson}. */
export function visibleWord(word: string): string {
  return /^[\w@%+=:,./${}*-]+$/.test(word) ? word : visibleJson(word);
}

/**
 * A file's name or path where others stand beside it: bare, or as {@link visibleJson} where it could be taken for
 * several, for a place in one, or for something else that is said there.
 */
export function visibleName(name: string): string {
  const isPlain = visibleLine(name) === name && !/^$|^[\s"]|\s$|\s\s|:|, /.test(name);
  return isPlain ? name : visibleJson(name);
}

/** Of a name that is none, so much is shown. */
const MAX_ODD_NAME_CHARS = 40;

/**
 * A tool's name, in a sentence of Nexus's own: bare where it is one, as MCP would have it; else what its server wrote
 * there, in quotes as {@link visibleJson}, and cut.
 */
export function visibleToolName(name: string): string {
  return /^[\w./-]{1,128}$/.test(name) ? name : visibleJson(cutEndCounted(name, MAX_ODD_NAME_CHARS));
}

/** What ends a line somewhere, steers a terminal, or shows what follows in another order; not the tab. */
const STEERING = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** A line of a file, as it is but for what is no part of a line: that stands there as an escape. */
export function visibleContent(line: string): string {
  return line.replace(STEERING, (odd) => SHORT[odd] ?? escaped(odd));
}

/** By UTF-16 units, as JSON and JavaScript write them. */
function escaped(odd: string): string {
  let written = '';
  for (let at = 0; at < odd.length; at += 1) {
    written += `\\u${odd.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }
  return written;
}
