import type { Span } from '@nexus/plugin-sdk';
import { type HrTime, type Meter, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtoMetrics } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtoTraces } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { CONVENTIONS, type Metric, measurementsOf } from '../conventions.ts';
import type { SpanSink } from '../create-spans.ts';

export interface OtlpParts {
  /** Base address of the collector; by default what the variables of OpenTelemetry say. */
  readonly endpoint?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly protocol: 'http/json' | 'http/protobuf';
  /** How often metrics are sent. */
  readonly metricsEveryMs: number;
  readonly version: string;
}

export interface OtlpExport extends SpanSink {
  /** Sends what is not sent yet. */
  close(): Promise<void>;
}

/** Every span and its metrics to a collector, in batches (OTLP 1.x over HTTP). */
export function exportSpans({ endpoint, headers, protocol, metricsEveryMs, version }: OtlpParts): OtlpExport {
  const at = (path: string) => ({
    ...(endpoint === undefined ? {} : { url: `${withoutSlash(endpoint)}${path}` }),
    ...(headers ? { headers } : {}),
  });
  const isJson = protocol === 'http/json';
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'nexus', 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }));
  const traces = isJson ? new JsonTraces(at('/v1/traces')) : new ProtoTraces(at('/v1/traces'));
  const spans = new BatchSpanProcessor(traces);
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: isJson ? new JsonMetrics(at('/v1/metrics')) : new ProtoMetrics(at('/v1/metrics')),
        exportIntervalMillis: metricsEveryMs,
        exportTimeoutMillis: Math.min(metricsEveryMs, 10_000),
      }),
    ],
  });
  const scope = { name: 'nexus', version };
  const meter = meters.getMeter(scope.name, version);
  const instruments = new Map<Metric, Instrument>();

  return {
    wants: () => true,
    take(span) {
      spans.onEnd(readable(span, { resource, instrumentationScope: scope }));
      for (const { metric, value, attributes } of measurementsOf(span)) {
        let instrument = instruments.get(metric);
        if (!instrument) {
          instrument = instrumentOf(meter, metric);
          instruments.set(metric, instrument);
        }
        instrument(value, attributes);
      }
    },
    async close() {
      await Promise.allSettled([spans.shutdown(), meters.shutdown()]);
    },
  };
}

type Instrument = (value: number, attributes: Readonly<Record<string, string>>) => void;

function instrumentOf(meter: Meter, { name, instrument, unit, help }: Metric): Instrument {
  if (instrument === 'counter') {
    const counter = meter.createCounter(name, { unit, description: help });
    return (value, attributes) => counter.add(value, attributes);
  }
  const histogram = meter.createHistogram(name, { unit, description: help });
  return (value, attributes) => histogram.record(value, attributes);
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

function readable(
  { name, kind, traceId, spanId, parentId, startMs, endMs, attributes, links = [], error }: Span,
  of: Pick<ReadableSpan, 'resource' | 'instrumentationScope'>,
): ReadableSpan {
  const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
  const isFailed = error !== undefined || attributes['error.type'] !== undefined;
  const known = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, typeof value === 'object' ? [...value] : value] as const],
  );
  return {
    ...of,
    name,
    kind: KINDS[kind],
    spanContext: () => context,
    ...(parentId === undefined
      ? {}
      : { parentSpanContext: { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED } }),
    startTime: hrTime(startMs),
    endTime: hrTime(endMs),
    duration: hrTime(endMs - startMs),
    ended: true,
    status: isFailed
      ? { code: SpanStatusCode.ERROR, ...(error === undefined ? {} : { message: error }) }
      : { code: SpanStatusCode.UNSET },
    attributes: { ...Object.fromEntries(known), 'nexus.conventions': CONVENTIONS },
    links: links.map((link) => ({ context: { ...link, traceFlags: TraceFlags.SAMPLED } })),
    events: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1_000_000)];
}

function withoutSlash(address: string): string {
  return address.endsWith('/') ? address.slice(0, -1) : address;
}
