import { defineTool, fittingTwice, ToolError, type TraceRecord, traceEventTypes } from '@nexus/plugin-sdk';
import { z } from 'zod';

export const queryTrace = defineTool({
  name: 'query_trace',
  title: 'Query a trace',
  description:
    'How a run went, span by span, oldest first: runs, steps at work, waits, tool calls, other servers and models, with times and errors.',
  input: z.object({
    runId: z.string().min(1).max(100).describe('Any run of a family.'),
    eventType: z.enum(traceEventTypes).optional().describe('Only these.'),
    limit: z.int().min(1).max(1_000).default(100).describe('At most.'),
    offset: z.int().min(0).max(1_000_000).default(0).describe('Spans to skip.'),
  }),
  output: z.object({
    traceId: z.string(),
    spans: z.array(
      z.looseObject({
        id: z.string(),
        parentId: z.string().optional(),
        type: z.enum(traceEventTypes),
        name: z.string(),
        startedAt: z.string(),
        ms: z.int(),
        error: z.string().optional(),
      }),
    ),
    total: z.int(),
    unread: z.int().optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ runId, eventType, limit, offset }, { host, user }) {
    const { rootId } = await host.runs.get(runId, { user });
    const trace = await host.traces.read(rootId);
    if (!trace || trace.spans.length === 0) {
      throw new ToolError(
        'NEXUS_NOT_FOUND',
        `No trace of run ${rootId} is on this machine: none is kept where traces.enabled is false, each span is written when it is over, and files go after traces.keepDays. The run itself: nexus runs ${rootId}.`,
      );
    }
    const asked = trace.spans.filter(({ type }) => eventType === undefined || type === eventType);
    return {
      traceId: trace.spans[0]?.traceId ?? '',
      spans: fittingTwice(asked.slice(offset, offset + limit).map(shown), host.results),
      total: asked.length,
      ...(trace.unread > 0 ? { unread: trace.unread } : {}),
    };
  },
});

function shown({ spanId, parentId, type, name, startMs, endMs, error, attributes }: TraceRecord) {
  return {
    id: spanId,
    ...(parentId === undefined ? {} : { parentId }),
    type,
    name,
    startedAt: new Date(startMs).toISOString(),
    ms: Math.round(endMs - startMs),
    ...(error === undefined ? {} : { error }),
    ...attributes,
  };
}
