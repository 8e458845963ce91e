import { join } from 'node:path';
import type { Log, Span, Spans, Traces } from '@nexus/plugin-sdk';
import { SpanHub, type SpanSink, type TraceFiles, traceFiles } from '@nexus/tracing';
import type { OtlpExport } from '@nexus/tracing/otlp';
import { holdSecrets, redactText } from '@nexus/untrusted/secrets';
import type { LoadedConfig } from '../loaded-config/load-config.ts';
import { version } from '../version.ts';
import { type OtlpSettings, otlpSettings } from './otlp-settings.ts';

export interface Tracing extends Traces {
  readonly spans: Spans;
  /** Tells each span from now on. */
  add(sink: SpanSink): void;
  /** Nothing of what ended is in memory alone. */
  close(): Promise<void>;
}

/** Spans that wait for the exporter to be loaded; more than these are not kept. */
const MAX_WAITING = 2_048;

/** Traces of this process: files by default, a collector where one is named. The code that sends is loaded only then. */
export function createTracing(loaded: LoadedConfig, log: Log): Tracing {
  const { enabled, calls, contents, keepDays, maxMegabytes } = loaded.config.traces;
  const onFault = (error: unknown) => log.error('spans could not be kept', { err: error });
  const hub = new SpanHub({ contents, redact: redactText, onFault });
  const folder = traceFolder(loaded.dataDir);
  const files: TraceFiles = traceFiles({
    folder,
    withCalls: calls,
    keepDays,
    maxBytes: maxMegabytes * 1024 * 1024,
    onFault,
  });
  if (enabled) hub.add(files);
  const otlp = otlpSettings(loaded.config.traces.otlp, process.env);
  if (typeof otlp === 'string') log.warn(otlp);
  else holdSecrets(Object.values(otlp?.headers ?? {}));
  const sending = typeof otlp === 'object' ? lazyExport(() => openExport(otlp), onFault) : undefined;
  if (sending) hub.add(sending);
  return {
    spans: hub,
    add: (sink) => hub.add(sink),
    read: files.read,
    since: files.since,
    async close() {
      files.flush();
      await sending?.close();
    },
  };
}

export function traceFolder(dataDir: string): string {
  return join(dataDir, 'traces');
}

async function openExport(settings: OtlpSettings): Promise<OtlpExport> {
  const { exportSpans } = await import('@nexus/tracing/otlp');
  return exportSpans({ ...settings, version });
}

/** A start waits for nothing of it: what ends before it is loaded waits. */
function lazyExport(load: () => Promise<OtlpExport>, onFault: (error: unknown) => void): OtlpExport {
  let loading: Promise<void> | undefined;
  let loaded: OtlpExport | undefined;
  let waiting: Span[] = [];
  return {
    wants: () => true,
    take(span) {
      if (loaded) return loaded.take(span);
      if (waiting.length < MAX_WAITING) waiting.push(span);
      loading ??= load().then((it) => {
        loaded = it;
        for (const each of waiting) it.take(each);
        waiting = [];
      }, onFault);
    },
    async close() {
      await loading;
      await loaded?.close();
    },
  };
}
