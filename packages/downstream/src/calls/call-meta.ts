import type { Members } from '@nexus/core/json-rpc';
import type { Trace } from '@nexus/plugin-sdk';

/**
 * The `_meta` of a call on its way on: the caller's own, but for its progress token, which names a request
 * of another connection; and the trace that the call belongs to.
 */
export function passedMeta(meta: Members, trace?: Trace): Members {
  const { progressToken: _, ...passed } = meta;
  if (!trace) return passed;
  const { tracestate, baggage } = trace;
  const joined: Record<string, unknown> = passed;
  joined.traceparent = traceparent(meta.traceparent, trace);
  if (tracestate !== undefined) joined.tracestate = tracestate;
  if (baggage !== undefined) joined.baggage = baggage;
  return joined;
}

/** As sent where it is this trace's, for its flags; otherwise of a trace that is recorded. */
function traceparent(sent: unknown, { traceId, parentId }: Trace): string {
  if (typeof sent === 'string' && sent.includes(`-${traceId}-${parentId}-`)) return sent;
  return `00-${traceId}-${parentId}-01`;
}
