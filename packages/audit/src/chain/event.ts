import { hash as digest } from 'node:crypto';
import { canonical } from './canonical.ts';

/** What comes before a writer's first event. */
export const NO_EVENT = '0'.repeat(64);

/** What is written of one event, beside what the chain adds. */
export interface AuditEvent {
  /** Such as `call.intent`; a part of Nexus owns what is before the point. */
  readonly kind: string;
  /** Plain JSON, whose numbers are finite and whose keys are no whole numbers. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * One line of a chain: RFC 8785's canonical JSON of all but `hash`, and then `hash`, the SHA-256 of that canonical
 * JSON in UTF-8, as hexadecimal digits.
 */
export interface ChainLine extends AuditEvent {
  readonly v: 1;
  /** Whose chain it is. */
  readonly writer: string;
  readonly project: string;
  /** From 0 on, without a gap. */
  readonly seq: number;
  /** ISO 8601, by the writer's clock. */
  readonly at: string;
  /** The hash of the line before, {@link NO_EVENT} for the first. */
  readonly prev: string;
  readonly hash: string;
}

/** The text of a line, without its line end. */
export function lineOf(event: Omit<ChainLine, 'hash'>): { readonly text: string; readonly hash: string } {
  const body = canonical(event);
  const hash = sha256(body);
  return { text: `${body.slice(0, -1)},"hash":"${hash}"}`, hash };
}

const HASH_PART = /,"hash":"([0-9a-f]{64})"\}$/;
const HASH_CHARS = ',"hash":""}'.length + 64;

/** What is wrong with a line by itself: it is none of a chain, or its hash is not that of its words. */
export type LineFault = 'not a line of a chain' | 'its hash is not that of its words';

/** Reads a line, and holds it against its own hash. */
export function readLine(text: string): ChainLine | LineFault {
  const hash = HASH_PART.exec(text.slice(-HASH_CHARS))?.[1];
  if (hash === undefined) return 'not a line of a chain';
  const body = `${text.slice(0, -HASH_CHARS)}}`;
  if (sha256(body) !== hash) return 'its hash is not that of its words';
  try {
    const event: unknown = JSON.parse(body);
    // What has two spellings has two hashes: only the canonical one is a line.
    if (!isEvent(event) || !isCanonical(event, body)) return 'not a line of a chain';
    return Object.assign(event, { hash });
  } catch {
    return 'not a line of a chain';
  }
}

export function sha256(text: string): string {
  return digest('sha256', text);
}

function isEvent(value: unknown): value is Omit<ChainLine, 'hash'> {
  if (typeof value !== 'object' || value === null) return false;
  const { v, writer, project, seq, at, prev, kind, data } = value as Partial<ChainLine>;
  return (
    v === 1 &&
    Number.isSafeInteger(seq) &&
    typeof data === 'object' &&
    data !== null &&
    [writer, project, at, prev, kind].every((each) => typeof each === 'string')
  );
}

/** JSON.stringify writes numbers and text as RFC 8785 wants them; what is left to look at is the order of keys. */
function isCanonical(event: object, body: string): boolean {
  return hasKeysInOrder(event) && JSON.stringify(event) === body;
}

/** Without lists of its own for what is no object: a trail has a million lines. */
function hasKeysInOrder(value: object): boolean {
  const isList = Array.isArray(value);
  let before: string | undefined;
  for (const key of Object.keys(value)) {
    if (!isList && before !== undefined && before >= key) return false;
    before = key;
    const each = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof each === 'object' && each !== null && !hasKeysInOrder(each)) return false;
  }
  return true;
}
