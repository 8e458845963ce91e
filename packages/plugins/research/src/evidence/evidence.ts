import { createHash } from 'node:crypto';
import { ToolError } from '@nexus/plugin-sdk';
import type { Evidence } from '../registry/entries.ts';
import { findQuote, readable } from './find-quote.ts';

/** A text as it was read from what was fetched. */
export interface Document {
  readonly url: string;
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
  readonly text: string;
}

/** What is kept of one part of a document: enough to find it again, and to see whether it is still there. */
export function evidenceOf(
  document: Document,
  kind: Evidence['kind'],
  { start, end }: { readonly start: number; readonly end: number },
): Evidence {
  return {
    kind,
    url: document.url,
    fetchedAt: new Date(document.fetchedAt).toISOString(),
    sha256: sha256(document.text),
    start,
    end,
    text: document.text.slice(start, end),
  };
}

/**
 * Quotes with where they stand.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS naming each that does not stand in the text at exactly one place: then
 * none counts
 */
export function quotesOf(document: Document, quotes: readonly string[]): Evidence[] {
  const source = readable(document.text);
  const faults: string[] = [];
  const found = quotes.flatMap((quote) => {
    const judged = findQuote(source, quote);
    if (judged.isVerbatim) return [evidenceOf(document, 'quote', judged.place)];
    const why =
      judged.why === 'absent'
        ? 'does not stand there word for word'
        : `stands there at ${judged.places} places; quote more of what is around it`;
    faults.push(`${JSON.stringify(quote.slice(0, 300))} ${why}.`);
    return [];
  });
  if (faults.length === 0) return found;
  throw new ToolError(
    'NEXUS_INVALID_ARGUMENTS',
    `What was read of ${document.url} does not have every quote, so nothing is kept:\n${faults.join('\n')}`,
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
