import { type Metric, measurementsOf, metrics, type SpanSink } from '@nexus/tracing';
import { Counter, Histogram, type Registry } from 'prom-client';

/** Seconds; as the conventions advise for what models take part in. */
const SECONDS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92, 300, 900,
];
/** Powers of four. */
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576];

type Observe = (labels: Readonly<Record<string, string>>, value: number) => void;

/**
 * The metrics of the conventions in Prometheus' names (OpenTelemetry's compatibility rules: dots become underscores, the
 * unit and `_total` come behind), from the same spans that a collector gets.
 */
export function conventionMetrics(registry: Registry): SpanSink {
  const made = new Map(metrics.map((metric) => [metric, observer(metric, registry)]));
  return {
    wants: () => true,
    take(span) {
      for (const { metric, value, attributes } of measurementsOf(span)) {
        const labels = Object.entries(attributes).map(
          ([name, text]) => [prometheusName(name), text] as const,
        );
        made.get(metric)?.(Object.fromEntries(labels), value);
      }
    },
  };
}

function observer({ name, unit, instrument, help, attributes, fixed }: Metric, registry: Registry): Observe {
  const options = {
    help,
    labelNames: [...attributes, ...Object.keys(fixed ?? {})].map(prometheusName),
    registers: [registry],
  };
  const base = `${prometheusName(name)}${unit === 's' ? '_seconds' : ''}`;
  if (instrument === 'counter') {
    const counter = new Counter({ ...options, name: `${base}_total` });
    return (labels, value) => counter.inc(labels, value);
  }
  const histogram = new Histogram({ ...options, name: base, buckets: unit === 's' ? SECONDS : TOKENS });
  return (labels, value) => histogram.observe(labels, value);
}

function prometheusName(name: string): string {
  return name.replaceAll('.', '_');
}
