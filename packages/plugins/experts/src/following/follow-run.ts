import {
  type CallContext,
  type ErrorCode,
  type Run,
  type RunEvent,
  type RunStatus,
  ToolError,
} from '@nexus/plugin-sdk';

/**
 * Waits for a run on behalf of a call, whose client sees its progress and is asked its questions. The run is
 * on record: it goes on without the call, and is taken up again by its id.
 * @returns the output of the run
 * @throws {ToolError} what the run came to, with its `runId` in `detail`
 */
export async function followRun<Output>(run: Run, context: CallContext): Promise<Output> {
  const { host, signal } = context;
  const ended = await host.runs.wait(run.id, { signal, onEvent: (event) => report(event, context) });
  if (ended.status === 'completed') return ended.output as Output; // of the kind that the caller started
  const code = ended.error?.code ?? CODES[ended.status] ?? 'NEXUS_UNAVAILABLE';
  const what = ended.error?.message ?? ended.message ?? describe(ended);
  const text = `${what} Run ${ended.id} keeps what is done: \`nexus runs ${ended.id}\` shows it, and the same tool with resume "${ended.id}" goes on with it.`;
  // Of the error table, as every run's.
  throw new ToolError(code as ErrorCode, text, {
    detail: { ...ended.error?.detail, runId: ended.id, status: ended.status },
  });
}

/** Where the run itself has no error: what ended it lies in a run that it waits for, or outside. */
const CODES: Partial<Record<RunStatus, ErrorCode>> = {
  cancelled: 'NEXUS_CANCELLED',
  paused: 'NEXUS_BUDGET_EXCEEDED',
};

function describe({ status, budget: { spent, cap } }: Run): string {
  if (status !== 'paused') return `The run is ${status}.`;
  const most = [
    ...(cap?.costUsd === undefined ? [] : [`${cap.costUsd} US dollars`]),
    ...(cap?.tokens === undefined ? [] : [`${cap.tokens} tokens`]),
  ];
  return `The run is paused: it has spent ${spent.costUsd} US dollars and ${spent.tokens} tokens, and may spend ${most.join(' and ')}.`;
}

function report({ type, step, data }: RunEvent, { progress }: CallContext): void {
  const {
    message = undefined,
    done = undefined,
    total = undefined,
  } = Object(data) as Record<string, unknown>;
  const text = typeof message === 'string' ? message : [step, type].filter(Boolean).join(': ');
  progress(text, typeof done === 'number' ? done : undefined, typeof total === 'number' ? total : undefined);
}
