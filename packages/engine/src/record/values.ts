import { createHash } from 'node:crypto';
import { canonicalJson } from '@nexus/primitives';
import { notOnRecord } from './not-on-record.ts';
import type { RunTransaction } from './run-database.ts';

/** A value as it is stored: JSON, or the name of a blob with that content. */
export interface Stored {
  readonly text: string | null;
  readonly blob?: { readonly hash: string; readonly content: string };
}

/** Longer JSON is kept as a blob, so that a run's history is read without it. */
const MAX_INLINE_CHARS = 16_384;
const REFERENCE = '@';

/**
 * Makes a value storable: what JSON leaves out is left out, a bigint becomes its digits. U+0000 and lone
 * surrogates are escaped, so that every database takes the text.
 * @throws {TypeError} for a cycle
 */
export function toStored(value: unknown): Stored {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
  if (text === undefined) return { text: null };
  if (text.length <= MAX_INLINE_CHARS) return { text };
  const hash = digestOfText(text);
  return { text: `${REFERENCE}${hash}`, blob: { hash, content: text } };
}

/** In characters; nearly bytes. */
export function sizeOf({ text, blob }: Stored): number {
  return blob ? blob.content.length : (text?.length ?? 0);
}

/** The same for values that JSON shows alike, whatever the order of their keys. */
export function digestOf(value: unknown): string {
  return digestOfText(canonicalJson(value));
}

export function digestOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40);
}

export async function saveBlob(trx: RunTransaction, runId: string, { blob }: Stored): Promise<void> {
  if (!blob) return;
  await trx
    .insertInto('runs_blobs')
    .values({ run_id: runId, ...blob })
    .onConflict((conflict) => conflict.columns(['run_id', 'hash']).doNothing())
    .execute();
}

/** @throws {ToolError} NEXUS_NOT_FOUND where the run was forgotten meanwhile */
export async function fromStored(db: RunTransaction, runId: string, text: string | null): Promise<unknown> {
  if (text === null) return undefined;
  const hash = blobNamedBy(text);
  return JSON.parse(hash === undefined ? text : await contentOf(db, runId, hash));
}

/** @returns the hash of the blob in whose place a stored text stands */
export function blobNamedBy(text: string): string | undefined {
  return text.startsWith(REFERENCE) ? text.slice(REFERENCE.length) : undefined;
}

/** @throws {ToolError} NEXUS_NOT_FOUND where the run was forgotten meanwhile, with all that is kept of it */
export async function contentOf(db: RunTransaction, runId: string, hash: string): Promise<string> {
  const kept = await db
    .selectFrom('runs_blobs')
    .select('content')
    .where('run_id', '=', runId)
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (!kept) throw notOnRecord(runId);
  return kept.content;
}
