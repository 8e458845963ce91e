import type { SpanLink, Trace } from '@nexus/plugin-sdk';
import { isRecord } from '../json-type.ts';

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const ALL_ZERO = /^0+$/;

/** Continues the caller's trace (W3C Trace Context, `_meta.traceparent`), or starts one. */
export function traceOf(meta: unknown): Trace {
  const traceparent = isRecord(meta) ? meta.traceparent : undefined;
  const sent = typeof traceparent === 'string' ? parseTraceparent(traceparent) : undefined;
  if (!sent || !isRecord(meta)) return newTrace();
  const { tracestate, baggage } = meta;
  return {
    ...sent,
    ...(typeof tracestate === 'string' ? { tracestate } : {}),
    ...(typeof baggage === 'string' ? { baggage } : {}),
  };
}

/** The span that a text names, where it names one. */
export function linkOf(traceparent: string | undefined): SpanLink | undefined {
  const sent = traceparent === undefined ? undefined : parseTraceparent(traceparent);
  return sent && { traceId: sent.traceId, spanId: sent.parentId };
}

/** Ids of zeros and version ff are invalid; only a version above 00 may carry more fields (sections 3.2, 4). */
function parseTraceparent(text: string): Trace | undefined {
  const [, version, traceId = '', parentId = '', more] = TRACEPARENT.exec(text) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return ALL_ZERO.test(traceId) || ALL_ZERO.test(parentId) ? undefined : { traceId, parentId };
}

/** Whether the caller has a span that the call is part of. */
export function isContinued({ parentId }: Trace, meta: unknown): boolean {
  const traceparent = isRecord(meta) ? meta.traceparent : undefined;
  return typeof traceparent === 'string' && traceparent.includes(`-${parentId}-`);
}

/** The same trace, from inside a span of it. */
export function within(trace: Trace, spanId: string): Trace {
  return { ...trace, parentId: spanId };
}

/** Random, and never all zero. */
export function newSpanId(): string {
  return randomHex(SPAN_BYTES);
}

const SPAN_BYTES = 8;
const TRACE_BYTES = 16;
const TRACE_AND_PARENT_BYTES = TRACE_BYTES + SPAN_BYTES;

/** Random bytes for many traces: to ask the system for those of one costs as much as a short call. */
const pool = Buffer.alloc(TRACE_AND_PARENT_BYTES * 128);
let usedBytes = pool.length;

/** Random as W3C Trace Context wants it, and never all zero. */
function newTrace(): Trace {
  const hex = randomHex(TRACE_AND_PARENT_BYTES);
  return { traceId: hex.slice(0, 2 * TRACE_BYTES), parentId: hex.slice(2 * TRACE_BYTES) };
}

/** A bit of each eight bytes is set: an id of zeros says that there is none. */
function randomHex(bytes: number): string {
  if (usedBytes + bytes > pool.length) {
    crypto.getRandomValues(pool);
    usedBytes = 0;
  }
  const [at, end] = [usedBytes, usedBytes + bytes];
  usedBytes = end;
  for (let byte = at; byte < end; byte += SPAN_BYTES) pool.writeUInt8(pool.readUInt8(byte) | 1, byte);
  return pool.toString('hex', at, end);
}
