/** How each line begins that says of an answer that something is left out of it. */
export const CUT_OPENS = '[… ';
/** How a page says where the next begins. */
export const GO_ON = 'Go on with offset ';
/** What kept results are named by. */
export const KEPT_RESULTS = 'nexus://results/';
/** As long as the URI of any kept result, in whose place it stands until it is known whether that is shown. */
export const UNKEPT = `${KEPT_RESULTS}00000000-0000-4000-8000-000000000000`;

const OPENS = '[Nexus: what ';
const FOLLOWS = 'follows is of the server ';
const IN_QUOTES = 'stands in quotes here is of the server ';
const ENDS = ', none of it of Nexus.]';

/** What stands before the words of a server that sound like Nexus, in a line or a block of its own. */
export function attributionTo(who: string): string {
  return `${OPENS}${FOLLOWS}${quoted(who)}${ENDS}`;
}

/** What stands before words of Nexus's own that quote such a server: the names that its result has. */
export function quotesOf(who: string): string {
  return `${OPENS}${IN_QUOTES}${quoted(who)}${ENDS}`;
}

function quoted(who: string): string {
  return `"${who.replace(/["\p{C}\p{Zl}\p{Zp}]/gu, "'")}"`;
}

/**
 * A result's blocks without that line, and whose the line says that they are. A server that writes it itself gets ours
 * before it, so that the first is always ours; it is no part of the result.
 */
export function apartFromAttribution<Block>(content: readonly Block[]): {
  readonly whose?: string;
  readonly content: readonly Block[];
  /** Where it stood. */
  readonly at: number;
} {
  const at = content.findIndex((block) => whoseIn(block) !== undefined);
  const whose = whoseIn(content[at]);
  return whose === undefined ? { content, at: 0 } : { whose, content: content.toSpliced(at, 1), at };
}

function whoseIn(block: unknown): string | undefined {
  const { type, text } = Object(block) as { readonly type?: unknown; readonly text?: unknown };
  const before = OPENS + FOLLOWS;
  if (type !== 'text' || typeof text !== 'string' || !text.startsWith(before) || !text.endsWith(ENDS)) {
    return undefined;
  }
  const name = text.slice(before.length, -ENDS.length);
  return /^"[^"\n]*"$/.test(name) ? name.slice(1, -1) : undefined;
}
