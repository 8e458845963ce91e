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
  began(run: RunRow, step: SpanStep, startMs?: number): ((error?: unknown) => void) | undefined;
  /** Told again by a write that is made again: the span has the same id. */
  runEnded(run: RunRow): void;
}

export interface SpanStep extends Pick<StepRow, 'name' | 'title' | 'kind' | 'attempt'> {}

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
      return (error) =>
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
            'nexus.step.kind': step.kind,
            'nexus.step.attempt': step.attempt,
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

/** W3C `traceparent` of what a run is part of, as it is kept. */
export function traceparentOf({ traceId, parentId }: Trace): string {
  return `00-${traceId}-${parentId}-01`;
}

/** What a child run is part of: the step that waits for it. */
export function traceOfChild(parent: RunRow, step: string): string | null {
  const trace = traceOf(parent);
  return trace ? traceparentOf({ ...trace, parentId: spanId(parent.id, step, '1') }) : null;
}

/** From inside a run; undefined for one of a version before traces were kept. */
function traceOf(run: RunRow): Trace | undefined {
  const traceId = run.trace?.split('-')[1];
  if (traceId === undefined) return undefined;
  return { traceId, parentId: spanId(run.id), family: run.root_id };
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
