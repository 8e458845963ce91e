import { createHash } from 'node:crypto';
import { isToolError, type RunKindName, type Spans, type Trace } from '@nexus/plugin-sdk';
import { readError } from './errors.ts';
import { JOB_KIND } from './job-kind.ts';
import type { RunRow, StepRow } from './tables.ts';

/** Where a run tells how it went, as spans: one for it, and one for each attempt and each wait of it. */
export interface RunSpans {
  /** Of what a step calls; undefined where nobody takes spans of the run. */
  within(run: RunRow, step: SpanStep): Trace | undefined;
  /** What begins is told of when it is over, by the function that this returns. */
  began(run: RunRow, step: SpanStep, startMs?: number): SpanOver | undefined;
  /** Told again by a write that is made again: the span has the same id. */
  runEnded(run: RunRow): void;
}

export interface SpanStep extends Pick<StepRow, 'name' | 'title' | 'kind' | 'attempt'> {
  /** Which try of its own the attempt is, where some before were cut short. */
  readonly tries?: number | undefined;
}

/** @param kind what it turned out to be: an attempt that asks a person only waited */
export type SpanOver = (error?: unknown, kind?: StepRow['kind']) => void;

export interface RunSpansParts {
  readonly spans: Spans;
  /** Epoch milliseconds. */
  now(): number;
  /** Whether runs of a kind are the work of one agent. */
  isAgent(kind: RunKindName): boolean;
}

export function createRunSpans({ spans, now, isAgent }: RunSpansParts): RunSpans {
  function within(run: RunRow, { name, attempt }: SpanStep): Trace | undefined {
    const trace = traceOf(run);
    return trace && spans.wants(trace)
      ? { ...trace, parentId: spanId(run.id, name, String(attempt)) }
      : undefined;
  }

  return {
    within,
    began(run, step, startMs = now()) {
      const inside = within(run, step);
      if (!inside) return undefined;
      return (error, kind = step.kind) =>
        spans.end({
          name: `step ${step.title}`,
          kind: 'internal',
          traceId: inside.traceId,
          spanId: inside.parentId,
          parentId: spanId(run.id),
          family: run.root_id,
          startMs,
          endMs: now(),
          attributes: {
            'nexus.run.id': run.id,
            'nexus.step.name': step.name,
            'nexus.step.kind': kind,
            'nexus.step.attempt': step.tries ?? step.attempt,
            ...(error === undefined ? {} : { 'error.type': codeOf(error) }),
          },
          error: error === undefined ? undefined : error instanceof Error ? error.message : String(error),
        });
    },
    runEnded(run) {
      const trace = traceOf(run);
      if (!trace || !spans.wants(trace)) return;
      const error = readError(run.error);
      const { name, attributes } = operationOf(run, isAgent({ name: run.kind, version: run.version }));
      spans.end({
        name,
        kind: 'internal',
        traceId: trace.traceId,
        spanId: trace.parentId,
        parentId: sentParent(run),
        family: run.root_id,
        startMs: Number(run.created_at),
        endMs: Number(run.ended_at),
        attributes: {
          ...attributes,
          'nexus.run.id': run.id,
          'nexus.run.title': run.title,
          'nexus.run.status': run.status,
          'nexus.run.parent.id': run.parent_id ?? undefined,
          ...(error ? { 'error.type': error.code } : {}),
        },
        error: error?.message,
      });
    },
  };
}

/** What a run is part of, as it is kept: W3C `traceparent`, and as JSON what goes with it. */
export function keptTrace({ traceId, parentId, tracestate, baggage }: Trace): string {
  const along = {
    ...(tracestate !== undefined && tracestate.length <= MOST_STATE ? { tracestate } : {}),
    ...(baggage !== undefined && baggage.length <= MOST_BAGGAGE ? { baggage } : {}),
  };
  const text = `00-${traceId}-${parentId}-01`;
  return Object.keys(along).length === 0 ? text : `${text} ${JSON.stringify(along)}`;
}

/** Characters that everybody has to pass on at most (W3C Trace Context, 3.3.1.5; W3C Baggage, 3.3.2). */
const MOST_STATE = 512;
const MOST_BAGGAGE = 8192;

/** What a child run is part of: the step that waits for it. */
export function traceOfChild(parent: RunRow, step: string): string | null {
  const trace = traceOf(parent);
  return trace ? keptTrace({ ...trace, parentId: spanId(parent.id, step, '1') }) : null;
}

/** From inside a run; undefined for one of a version before traces were kept. */
function traceOf(run: RunRow): Trace | undefined {
  const [parent = '', ...along] = run.trace?.split(' ') ?? [];
  const traceId = parent.split('-')[1];
  if (traceId === undefined) return undefined;
  const sent =
    along.length === 0 ? {} : (JSON.parse(along.join(' ')) as Pick<Trace, 'tracestate' | 'baggage'>);
  return { traceId, parentId: spanId(run.id), family: run.root_id, ...sent };
}

function sentParent({ trace }: RunRow): string | undefined {
  return trace?.split('-')[2];
}

/** The same in every process that goes on with the run. */
function spanId(...of: readonly string[]): string {
  const hex = createHash('sha256').update(of.join('\0')).digest('hex').slice(0, 16);
  // An id of zeros says that there is none.
  return hex === '0'.repeat(16) ? '1'.padStart(16, '0') : hex;
}

/** As the GenAI conventions call it. A job is a call, which has its own span. */
function operationOf({ kind }: RunRow, isAgent: boolean) {
  if (kind === JOB_KIND) return { name: 'job', attributes: {} };
  if (isAgent) {
    return {
      name: `invoke_agent ${kind}`,
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': kind },
    };
  }
  return {
    name: `invoke_workflow ${kind}`,
    attributes: { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.workflow.name': kind },
  };
}

function codeOf(error: unknown): string {
  return isToolError(error) ? error.code : 'NEXUS_INTERNAL';
}
