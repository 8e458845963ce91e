import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface WireValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly WireValue[] };
}

/** A span as OTLP has it in JSON. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: readonly { readonly key: string; readonly value: WireValue }[];
}

/** A metric as OTLP has it in JSON. */
export interface CollectedMetric {
  readonly name: string;
  readonly unit: string;
  readonly histogram?: { readonly dataPoints: readonly { readonly count: number | string }[] };
  readonly sum?: {
    readonly dataPoints: readonly { readonly asDouble?: number; readonly asInt?: number | string }[];
  };
}

/** A collector on loopback that speaks OTLP over HTTP in JSON, and keeps what it is sent. */
export async function otlpCollector() {
  const spans: CollectedSpan[] = [];
  const metrics: CollectedMetric[] = [];
  const resources: unknown[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const { resourceSpans = [], resourceMetrics = [] } = JSON.parse(body);
      for (const { resource, scopeSpans } of resourceSpans) {
        resources.push(resource);
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      for (const { scopeMetrics } of resourceMetrics)
        for (const scope of scopeMetrics) metrics.push(...scope.metrics);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    metrics,
    resources,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function attributesOf({ attributes }: CollectedSpan): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
}

function plain(value: WireValue): unknown {
  if (value.arrayValue) return value.arrayValue.values.map(plain);
  const { stringValue, intValue, doubleValue, boolValue } = value;
  return stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue) : Number(intValue));
}
