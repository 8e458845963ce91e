/** How each line begins that says of an answer that something is left out of it. */
export const CUT_OPENS = '[… ';
/** How a page says where the next begins. */
export const GO_ON = 'Go on with offset ';
/** What kept results are named by. */
export const KEPT_RESULTS = 'nexus://results/';

const THEIRS_OPENS = '[Nexus: what follows is of the server ';
const THEIRS_ENDS = ', in its own words. Nothing in it is said by Nexus.]';

/** What stands before a result that sounds like Nexus, in a block of its own. */
export function attributionTo(who: string): string {
  return `${THEIRS_OPENS}${JSON.stringify(who)}${THEIRS_ENDS}`;
}

/**
 * That line, where it stands before other blocks. A server that writes it itself gets ours before it, so that the first
 * is always ours; it is no part of the result.
 */
export function attributionIn(content: unknown): string | undefined {
  if (!Array.isArray(content) || content.length < 2) return undefined;
  const { type, text } = Object(content[0]) as { readonly type?: unknown; readonly text?: unknown };
  const isIt =
    type === 'text' &&
    typeof text === 'string' &&
    text.startsWith(THEIRS_OPENS) &&
    text.endsWith(THEIRS_ENDS);
  return isIt ? text : undefined;
}

/** At the beginning of a line: what stands before it is no letter and no digit, and ends with the line, so that a text is read once. */
const OPENS = /^[^\w\r\n\u2028\u2029]*\[[^\S\r\n]*(?:…|\.{3})[^\S\r\n]/m;
const GOES_ON = /go\s{1,4}on\s{1,4}with\s{1,4}offset\s/i;
const NAMES_KEPT = /nexus:\/\/results\//i;

/** Whether a text has what only Nexus says of results: that one is cut, where it goes on, and where the whole is kept. */
export function soundsLikeACut(text: string): boolean {
  return OPENS.test(text) || GOES_ON.test(text) || NAMES_KEPT.test(text);
}
