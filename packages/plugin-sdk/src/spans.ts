import type { Trace } from './context.ts';

export type SpanValue = string | number | boolean | readonly string[];

/** A span that one has to do with, and is not part of. */
export interface SpanLink {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
}

/** One thing that was done, from its beginning to its end: what OpenTelemetry calls a span. */
export interface Span {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** The span it is part of; absent where it is the first that is known. */
  readonly parentId?: string | undefined;
  /** The first run of the family that it is part of. */
  readonly family?: string | undefined;
  /** Epoch milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  /** By the names of the semantic conventions; those of Nexus alone begin with `nexus.`. */
  readonly attributes: Readonly<Record<string, SpanValue | undefined>>;
  /** Such as that of the HTTP request which carried a call. */
  readonly links?: readonly SpanLink[] | undefined;
  /** Why it failed, for people; `attributes['error.type']` says it for programs. */
  readonly error?: string | undefined;
}

/** Where finished spans go. */
export interface Spans {
  /** Whether anybody takes those of such a trace: where nobody does, none is to be made. */
  wants(trace: Pick<Trace, 'family'>): boolean;
  /** Whether arguments, results and what models are told are told of, too. */
  readonly contents: boolean;
  /** Does not throw: what it tells of is over. */
  end(span: Span): void;
}

/**
 * What a span is of: a run, a step of one at work, one that waits (for a child, a time, a person), a tool, a server
 * behind this one, a model.
 */
export const traceEventTypes = ['run', 'step', 'wait', 'call', 'server', 'model'] as const;

/** One line of a trace on disk. */
export interface TraceRecord extends Omit<Span, 'attributes'> {
  readonly type: (typeof traceEventTypes)[number];
  readonly attributes: Readonly<Record<string, SpanValue>>;
}

/** The spans of one family of runs. */
export interface TraceOfRun {
  /** In the order of their beginning. */
  readonly spans: readonly TraceRecord[];
  /** Lines of its file that can't be read. */
  readonly unread: number;
}

/** Traces that were kept. */
export interface Traces {
  /**
   * @param family the first run of it
   * @returns undefined where no trace of it is kept
   */
  read(family: string): Promise<TraceOfRun | undefined>;
  /** Every span that is kept of what ended at that moment or later, in no order. */
  since(moment: number): AsyncIterable<TraceRecord>;
}
