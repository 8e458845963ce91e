import { fakeServer } from '@nexus/testing';
import { CONVENTIONS, metrics, type SpanType, spanTypes, typeOf } from '@nexus/tracing';
import { expect, vi } from 'vitest';
import { startHttpServer } from '../harness/http-server.ts';
import { attributesOf, type CollectedSpan, otlpCollector } from '../harness/otlp-collector.ts';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { connectSdkClient } from '../harness/sdk-client.ts';
import { startServer } from '../harness/server-process.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';
import { WORKFLOW_FILES, workflowTeam } from '../harness/workflow-kill.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const hostSpan = '00f067aa0ba902b7';
const _meta = { traceparent: `00-${traceId}-${hostSpan}-01`, tracestate: 'vendor=1', baggage: 'team=a' };

const TRACED = `
name: traced
description: A tool of a server behind, an expert, and a step that fails.
steps:
  - { id: behind, uses: 'tool:use_tool', with: { toolbox: box, server: it, tool: received, arguments: {} } }
  - { id: writes, uses: expert:documentation, with: { task: 'WRITE-REPORT of both.' } }
outputs: { text: '\${{ steps.writes.output.text }}', received: '\${{ steps.behind.output }}' }
`;

const KINDS = ['', 'internal', 'server', 'client'] as const;

function shapeOf(span: CollectedSpan): SpanType {
  return typeOf({
    kind: KINDS[span.kind] || 'internal',
    attributes: attributesOf(span) as Record<string, string>,
  });
}

verifiesApp(
  'traces.whole',
  'a trace goes from the host through run, step, model and server, in the conventions’ names',
  async () => {
    await using collector = await otlpCollector();
    await using team = await workflowTeam();
    await using project = await makeProject({
      files: { ...WORKFLOW_FILES, '.nexus/workflows/traced.yaml': TRACED },
      config: { toolboxes: { box: { description: 'One server.', mcpServers: { it: fakeServer() } } } },
      env: {
        ...team.env,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '100',
      },
    });
    const server = startServer(project);
    await server.session.initialize();
    const { result } = await server.session.call('run_workflow', { template: 'traced' }, { _meta });
    const { runId, output } = result.structuredContent;
    expect(output, JSON.stringify(result)).toMatchObject({ text: 'FIRST-DRAFT' });
    await server.session.call('bus_status', {}, { _meta });
    await server.session.call('get_job_result', { jobId: 'nothing' }, { _meta });
    await server.session.call('nobody', {}, { _meta }).catch(() => undefined);
    const queried = await server.session.call('query_trace', { runId, eventType: 'model' });
    expect(queried.result.structuredContent).toMatchObject({ traceId, total: 1, spans: [{ type: 'model' }] });
    server.child.stdin?.end();
    await server.exit();

    const ofTrace = collector.spans.filter((span) => span.traceId === traceId);
    const byId = new Map(ofTrace.map((span) => [span.spanId, span]));
    expect(byId.size, 'each span once').toBe(ofTrace.length);
    const pathOf = (span: CollectedSpan | undefined): string[] =>
      span ? [...pathOf(byId.get(span.parentSpanId ?? '')), span.name] : [];
    const first = ofTrace.find(({ name }) => name === 'tools/call run_workflow');
    expect(first).toMatchObject({ kind: 2, parentSpanId: hostSpan });
    const model = ofTrace.find((span) => shapeOf(span) === 'gen_ai.client.inference');
    expect(pathOf(model)).toEqual([
      'tools/call run_workflow',
      'invoke_workflow workflows.workflow',
      expect.stringMatching(/^step writes/),
      'invoke_agent experts.turn',
      'step asks the model',
      expect.stringMatching(/^chat /),
    ]);
    const behind = ofTrace.find(({ name }) => name === 'tools/call received');
    expect(pathOf(behind)).toEqual([
      'tools/call run_workflow',
      'invoke_workflow workflows.workflow',
      expect.stringMatching(/^step behind/),
      'execute_tool use_tool',
      'execute_tool box__it__received',
      'tools/call received',
    ]);
    // What the server was told is the span of the request to it.
    const told = JSON.stringify(output.received);
    expect(told).toContain(`00-${traceId}-${behind?.spanId}-01`);
    expect(told).toContain('vendor=1');
    expect(told).toContain('team=a');
    expect(attributesOf(behind as CollectedSpan)['jsonrpc.request.id']).toMatch(/^\d+$/);
    const refused = ofTrace.find(({ name }) => name === 'tools/call');
    expect(refused).toMatchObject({ kind: 2, parentSpanId: hostSpan });
    expect(attributesOf(refused as CollectedSpan)).toMatchObject({ 'error.type': '-32602' });

    const failed = ofTrace.find(({ name }) => name === 'tools/call get_job_result');
    expect(failed?.status.code).toBe(2);
    expect(attributesOf(failed as CollectedSpan)).toMatchObject({
      'error.type': 'tool_error',
      'nexus.error.code': 'NEXUS_NOT_FOUND',
    });

    // Every name is of the conventions, or says that it is Nexus' own; what the conventions require is there.
    const seen = new Set<SpanType>();
    for (const span of collector.spans) {
      const attributes = attributesOf(span);
      const type = shapeOf(span);
      seen.add(type);
      const { required, optional, kind } = spanTypes[type];
      const known: readonly string[] = [...required, ...optional];
      expect(KINDS[span.kind], span.name).toBe(kind);
      const unknown = Object.keys(attributes).filter(
        (name) => !name.startsWith('nexus.') && !known.includes(name),
      );
      expect(unknown, span.name).toEqual([]);
      expect(Object.keys(attributes), span.name).toEqual(expect.arrayContaining([...required]));
      expect(attributes['nexus.conventions']).toBe(CONVENTIONS);
    }
    expect([...seen].sort()).toEqual(Object.keys(spanTypes).sort());
    await vi.waitFor(() => expect(collector.metrics.length).toBeGreaterThan(0));
    const sent = new Map(collector.metrics.map((metric) => [metric.name, metric]));
    expect([...sent.keys()].sort()).toEqual(metrics.map(({ name }) => name).sort());
    for (const { name, unit, instrument } of metrics) {
      expect(sent.get(name)?.unit, name).toBe(unit);
      expect(instrument === 'counter' ? sent.get(name)?.sum : sent.get(name)?.histogram, name).toBeDefined();
    }

    const drawn = await runNexus(project, ['trace', runId.slice(0, 12)]);
    expect(drawn.exitCode, drawn.stderr).toBe(0);
    expect(drawn.stdout).toContain(`Trace ${traceId} of ${runId}`);
    expect(drawn.stdout).toMatch(/chat .*█/);
  },
);

slowlyVerifiesApp(
  'traces.whole',
  'what an HTTP header says is linked, and what the request itself says is its parent',
  async () => {
    await using collector = await otlpCollector();
    await using project = await makeProject({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '100',
      },
    });
    await using server = await startHttpServer(project);
    const gateway = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
    const client = await connectSdkClient(
      server.url,
      server.token,
      {},
      {
        traceparent: `00-${gateway.traceId}-${gateway.spanId}-01`,
      },
    );
    const called = async (meta: object) => {
      const before = collector.spans.length;
      await client.callTool({ name: 'bus_status', arguments: {}, ...meta });
      await vi.waitFor(() => expect(collector.spans.length).toBeGreaterThan(before), { timeout: 10_000 });
      return collector.spans.at(-1);
    };
    expect(await called({ _meta })).toMatchObject({
      name: 'tools/call bus_status',
      traceId,
      parentSpanId: hostSpan,
      links: [gateway],
    });
    const alone = await called({});
    expect(alone).toMatchObject({ links: [gateway] });
    expect(alone?.traceId).not.toBe(gateway.traceId);
    const same = { _meta: { traceparent: `00-${gateway.traceId}-${gateway.spanId}-01` } };
    expect((await called(same))?.links ?? []).toEqual([]);
    await client.close();
  },
);
