import type { Trace } from '@nexus/plugin-sdk';
import { isRecord } from '../normalization/json-type.ts';

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

/** Ids of zeros and version ff are invalid; only a version above 00 may carry more fields (sections 3.2, 4). */
function parseTraceparent(text: string): Trace | undefined {
  const [, version, traceId = '', parentId = '', more] = TRACEPARENT.exec(text) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return ALL_ZERO.test(traceId) || ALL_ZERO.test(parentId) ? undefined : { traceId, parentId };
}

/** Random enough for W3C Trace Context (122 and 60 bits), never all zero, and made in one step. */
function newTrace(): Trace {
  const id = crypto.randomUUID();
  const traceId = id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24);
  return { traceId, parentId: traceId.slice(0, 16) };
}
