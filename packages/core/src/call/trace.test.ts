import { describe, expect, it } from 'vitest';
import { traceOf } from './trace.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';

describe('the trace of a call', () => {
  it.each([
    ['version 00', `00-${traceId}-${parentId}-01`],
    ['a later version', `01-${traceId}-${parentId}-01`],
    ['a later version with more fields', `cc-${traceId}-${parentId}-01-what-comes`],
  ])('continues the caller’s: %s', (_, traceparent) => {
    expect(traceOf({ traceparent })).toEqual({ traceId, parentId });
  });

  it('carries the caller’s tracestate and baggage along, where there is a trace', () => {
    const traceparent = `00-${traceId}-${parentId}-01`;
    const along = { tracestate: 'vendor=1', baggage: 'team=a' };
    expect(traceOf({ traceparent, ...along })).toEqual({ traceId, parentId, ...along });
    expect(traceOf({ traceparent, tracestate: 5 })).toEqual({ traceId, parentId });
    expect(traceOf(along)).not.toHaveProperty('tracestate');
  });

  it.each([
    ['no _meta', undefined],
    ['_meta without one', {}],
    ['_meta that is no object', 'x'],
    ['no text', { traceparent: 5 }],
    ['an all-zero trace id', { traceparent: `00-${'0'.repeat(32)}-${parentId}-01` }],
    ['an all-zero parent id', { traceparent: `00-${traceId}-${'0'.repeat(16)}-01` }],
    ['version ff', { traceparent: `ff-${traceId}-${parentId}-01` }],
    ['version 00 with more fields', { traceparent: `00-${traceId}-${parentId}-01-more` }],
    ['upper case', { traceparent: `00-${traceId.toUpperCase()}-${parentId}-01` }],
    ['a short id', { traceparent: `00-${traceId.slice(1)}-${parentId}-01` }],
    ['trailing text', { traceparent: `00-${traceId}-${parentId}-01x` }],
  ])('is a new one for %s', (_, meta) => {
    const trace = traceOf(meta);
    expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(trace.parentId).toMatch(/^[0-9a-f]{16}$/);
    expect(trace.traceId).not.toBe(traceId);
    expect(traceOf(meta).traceId).not.toBe(trace.traceId);
  });
});
