import type { HttpServer } from '@nexus/transports/http';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Nexus } from '../boot/boot.ts';

/** Seconds; the last is the longest budget class. */
const DURATION_BUCKETS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300, 900];

export interface Metrics {
  /** In Prometheus' text format. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Counts every call from now on, whichever way it came in. */
export function createMetrics(nexus: Nexus, http: () => ReturnType<HttpServer['counts']>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const calls = new Counter({
    name: 'nexus_calls_total',
    help: 'Finished tool calls by tool and outcome: ok, or the error’s category.',
    labelNames: ['tool', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'nexus_call_duration_seconds',
    help: 'How long tool calls took.',
    labelNames: ['tool'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const gauges: Readonly<Record<string, readonly [help: string, read: () => number]>> = {
    nexus_sessions: ['Open sessions, on every way in.', () => nexus.sessions.size],
    nexus_requests_in_flight: [
      'Requests that wait for their answer, on every way in.',
      () => [...nexus.sessions].reduce((sum, session) => sum + session.inFlight(), 0),
    ],
    nexus_http_sessions: ['Open sessions over HTTP.', () => http().sessions],
    nexus_http_streams: ['Streams that an HTTP client reads now.', () => http().streams],
    process_resident_memory_bytes: ['Memory of the process.', () => process.memoryUsage.rss()],
    nodejs_heap_used_bytes: ['Memory in use by JavaScript.', () => process.memoryUsage().heapUsed],
    process_uptime_seconds: ['Since the process began.', () => process.uptime()],
  };
  for (const [name, [help, read]] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }
  nexus.onCall(({ toolName, startedAtMs, endedAtMs, error }) => {
    calls.inc({ tool: toolName, outcome: error?.category ?? 'ok' });
    durations.observe({ tool: toolName }, (endedAtMs - startedAtMs) / 1_000);
  });
  return {
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
