import type { Trace } from '@nexus/plugin-sdk';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/** Continues the caller's trace (W3C Trace Context, `_meta.traceparent`), or starts one. */
export function traceOf(meta: unknown): Trace {
  const traceparent = (meta as { traceparent?: unknown } | undefined)?.traceparent;
  const match = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (match?.[1] && match[2]) return { traceId: match[1], parentId: match[2] };
  return { traceId: randomHex(16), parentId: randomHex(8) };
}

function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
