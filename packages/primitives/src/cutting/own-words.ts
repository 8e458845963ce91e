import { OWN_SENTENCES } from './own-sentences.ts';

/** What kept results are named by. */
export const KEPT_RESULTS = 'nexus://results/';
/** As long as the URI of any kept result, in whose place it stands until it is known whether that is shown. */
export const UNKEPT = `${KEPT_RESULTS}00000000-0000-4000-8000-000000000000`;

/** What stands before the words of a server that sound like Nexus, in a line or a block of its own. */
export function attributionTo(who: string): string {
  return OWN_SENTENCES.follows(quoted(who));
}

/** What stands before words of Nexus's own that quote such a server: the names that its result has. */
export function quotesOf(who: string): string {
  return OWN_SENTENCES.inQuotes(quoted(who));
}

/** What an answer of Nexus's own says that has words of several servers which sound like Nexus, each beside its server. */
export const OF_THEIR_SERVERS = OWN_SENTENCES.ofTheirServers();

/** What stands before what a workflow says or came to, where that sounds like Nexus: in its values nothing says it. */
export const OF_ITS_STEPS = OWN_SENTENCES.ofItsSteps();

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
  const [before = '', after = ''] = OWN_SENTENCES.follows.texts;
  if (type !== 'text' || typeof text !== 'string' || !text.startsWith(before) || !text.endsWith(after)) {
    return undefined;
  }
  const name = text.slice(before.length, -after.length);
  return /^"[^"\n]*"$/.test(name) ? name.slice(1, -1) : undefined;
}
