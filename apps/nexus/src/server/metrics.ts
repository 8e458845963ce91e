import type { HttpServer } from '@nexus/transports/http';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Nexus } from '../boot/boot.ts';
import { conventionMetrics } from './convention-metrics.ts';

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
  new Gauge({
    name: 'nexus_servers',
    help: 'Connections to other servers by state.',
    labelNames: ['state'],
    registers,
    collect() {
      this.reset();
      for (const { state } of nexus.downstreams.status()) this.inc({ state });
    },
  });
  new Gauge({
    name: 'nexus_servers_left_alone',
    help: 'Servers whose breaker is open: they left several calls in a row without an answer.',
    registers,
    collect() {
      this.set(nexus.downstreams.status().filter(({ isLeftAlone }) => isLeftAlone).length);
    },
  });
  const lookAtRuns = runGauges(nexus, registers);
  nexus.tracing.add(conventionMetrics(registry));
  nexus.onCall(({ toolName, startedAtMs, endedAtMs, error }) => {
    calls.inc({ tool: toolName, outcome: error?.category ?? 'ok' });
    durations.observe({ tool: toolName }, (endedAtMs - startedAtMs) / 1_000);
  });
  return {
    async render() {
      await lookAtRuns();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** How many open runs are looked at for what they may still spend. */
const MOST_RUNS = 200;
const OPEN = ['queued', 'running', 'waiting', 'paused'] as const;

/** What is on record of runs: several servers may share it, so that it is asked at each look. */
function runGauges({ engine }: Nexus, registers: Registry[]): () => Promise<void> {
  const gauge = (name: string, help: string, label: string) =>
    new Gauge({ name, help, labelNames: [label], registers });
  const runs = gauge(
    'nexus_runs',
    'Runs that have not ended, by status; those that are queued wait for room.',
    'status',
  );
  const newest = `of the newest ${MOST_RUNS} of each status`;
  const spent = gauge(
    'nexus_budget_spent',
    `What open runs have spent, in tokens and US dollars, ${newest}.`,
    'unit',
  );
  const capped = gauge('nexus_budget_cap', `What those that have a cap may spend in all, ${newest}.`, 'unit');
  return async () => {
    const open = await Promise.all(
      OPEN.map(async (status) => ({ status, ...(await engine.runs.list({ status, limit: MOST_RUNS })) })),
    );
    for (const { status, total } of open) runs.set({ status }, total);
    const budgets = open.flatMap(({ runs: found }) => found.map(({ budget }) => budget));
    for (const [unit, key] of BUDGET_UNITS) {
      spent.set({ unit }, sum(budgets.map((budget) => budget.spent[key])));
      capped.set({ unit }, sum(budgets.map((budget) => budget.cap?.[key] ?? 0)));
    }
  };
}

const BUDGET_UNITS = [
  ['tokens', 'tokens'],
  ['usd', 'costUsd'],
] as const;

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
