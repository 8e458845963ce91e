import type { LoadedConfig } from '../loaded-config/load-config.ts';

type Protocol = 'http/json' | 'http/protobuf';

export interface OtlpSettings {
  readonly endpoint: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly protocol: Protocol;
  readonly metricsEveryMs: number;
}

const DEFAULT_METRICS_EVERY_MS = 60_000;

/**
 * Where spans go: what the config says, else the variables of OpenTelemetry, which its exporters read themselves.
 * @returns undefined where neither names a collector; a warning where it can't be spoken to
 */
export function otlpSettings(
  { endpoint, headers, protocol }: LoadedConfig['config']['traces']['otlp'],
  env: Readonly<Record<string, string | undefined>>,
): OtlpSettings | string | undefined {
  const named = endpoint ?? env.OTEL_EXPORTER_OTLP_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  if (!named || env.OTEL_SDK_DISABLED === 'true') return undefined;
  const asked =
    protocol ?? env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf';
  if (asked !== 'http/json' && asked !== 'http/protobuf') {
    return `Traces are sent nowhere: OTEL_EXPORTER_OTLP_PROTOCOL is "${asked}", and Nexus speaks http/protobuf and http/json. Set it to one of these; a collector listens for them on port 4318.`;
  }
  const every = Number(env.OTEL_METRIC_EXPORT_INTERVAL);
  return {
    endpoint,
    headers,
    protocol: asked,
    metricsEveryMs: Number.isFinite(every) && every > 0 ? every : DEFAULT_METRICS_EVERY_MS,
  };
}
