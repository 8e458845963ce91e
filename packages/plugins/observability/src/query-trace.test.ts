import type { TraceRecord, Traces } from '@nexus/plugin-sdk';
import { definePlugin, defineRunTool } from '@nexus/plugin-sdk';
import { startPlugin } from '@nexus/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import observability from './index.ts';

const build = defineRunTool({
  name: 'build',
  version: 1,
  title: 'Build',
  description: 'Builds one thing as a run, so that there is a run to have a trace.',
  input: z.object({}),
  output: z.object({ built: z.boolean() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  budget: 'pipeline',
  text: () => 'built',
  cap: () => ({ tokens: 500 }),
  run: async () => ({ built: true }),
});

const withRun = definePlugin({ ...observability, tools: [...observability.tools, build] });

const spans = Array.from(
  { length: 120 },
  (_, index): TraceRecord => ({
    type: index % 2 === 0 ? 'step' : 'model',
    name: `span ${index}`,
    kind: 'internal',
    traceId: 'a'.repeat(32),
    spanId: String(index).padStart(16, '0'),
    startMs: index,
    endMs: index + 10,
    attributes: { 'nexus.step.name': 'x' },
  }),
);

it('answers spans whole, with their number and a way on, and none where none is kept', async () => {
  let kept: readonly TraceRecord[] = spans;
  const traces: Traces = { async *since() {}, read: async () => ({ spans: kept, unread: 0 }) };
  const plugin = await startPlugin(withRun, { traces });
  try {
    const { runId } = await plugin.answer<{ runId: string }>('build', {});
    const all = await plugin.answer('query_trace', { runId });
    expect(all.spans).toHaveLength(100);
    expect(all).toMatchObject({ total: 120, traceId: 'a'.repeat(32) });
    expect(all.spans).toMatchObject(Array(100).fill({ ms: 10, 'nexus.step.name': 'x' }));
    const models = await plugin.answer('query_trace', { runId, eventType: 'model', limit: 50, offset: 50 });
    expect(models).toMatchObject({ total: 60 });
    expect(models.spans).toHaveLength(10);
    kept = [];
    const refused = await plugin.call('query_trace', { runId });
    expect(refused).toMatchObject({ isError: true, _meta: { 'nexus/error': { code: 'NEXUS_NOT_FOUND' } } });
  } finally {
    await plugin.stop();
  }
});
