import type { CallContext } from '../../context.ts';
import { type ErrorCode, isToolError, ToolError } from '../../tool-error.ts';
import type { Run, RunCount, RunEvent, RunStatus } from '../runs.ts';
import { inputRequired } from './input-required.ts';
import { failedRunText } from './run-text.ts';

/**
 * Waits for a run on behalf of a call, whose client sees its progress. The run ends with a call that is cancelled
 * or out of time, keeps what it has done, and is taken up again by its id; it outlives the server.
 * @returns the run, complete
 * @throws {ToolError} what the run came to, with its `runId` in `detail`; NEXUS_INPUT_REQUIRED where it waits for
 *   an answer that the call's client does not give, and goes on once that is there
 */
export async function followRun(run: Run, context: CallContext): Promise<Run> {
  const { host, signal, progress, user } = context;
  const describeEvent = eventWords();
  progress(`run ${run.id}`);
  const onEvent = (event: RunEvent) => {
    const words = describeEvent(event);
    if (words !== undefined) progress(words);
  };
  const onCount = outermost(({ message, done, total }) => progress(message, done, total));
  const ask = context.putQuestion;
  const ended = await host.runs
    .wait(run.id, { signal, onEvent, onCount, user, ask, toldTo: context })
    .catch(async (error: unknown) => {
      if (isOver(signal)) await host.runs.cancel(run.id, { user });
      throw error;
    });
  if (ended.status === 'completed') return ended;
  if (ended.status !== 'paused' && ended.asks) throw inputRequired(ended);
  const code = ended.error?.code ?? CODES[ended.status] ?? 'NEXUS_UNAVAILABLE';
  const what = ended.error?.message ?? ended.message ?? `The run is ${ended.status}.`;
  // Of the error table, as every run's.
  throw new ToolError(code as ErrorCode, withWayOn(what, ended, context), {
    detail: { ...ended.error?.detail, runId: ended.id, status: ended.status },
  });
}

/** In one text for all runs within one another: where it came to this, and the one that is to be gone on with. */
function withWayOn(what: string, run: Run, { run: above }: CallContext): string {
  if (!above) return failedRunText(what, run);
  // What came from a run below says so already.
  return typeof run.error?.detail?.runId === 'string' ? what : `${what} (nexus://runs/${run.id})`;
}

/**
 * Whether nobody waits any more; else the server ends, another one has the call, and with it the run, or the client
 * has gone and leaves it to go on.
 */
function isOver({ aborted, reason }: AbortSignal): boolean {
  if (!aborted || (isToolError(reason) && reason.detail?.leavesRun === true)) return false;
  return !isToolError(reason) || reason.code === 'NEXUS_CANCELLED' || reason.code === 'NEXUS_TIMEOUT';
}

/** Where the run itself has no error: what ended it lies in a run that it waits for, or outside. */
const CODES: Partial<Record<RunStatus, ErrorCode>> = {
  cancelled: 'NEXUS_CANCELLED',
  paused: 'NEXUS_BUDGET_EXCEEDED',
};

/** Counts of the first run that has any, which all others are parts of. */
function outermost(tell: (count: RunCount) => void): (count: RunCount) => void {
  let counted: string | undefined;
  return (count) => {
    counted ??= count.runId;
    if (count.runId === counted) tell(count);
  };
}

/** What happens, in the words of the steps' titles, each under the title of the step that its run is for. */
function eventWords(): (event: RunEvent) => string | undefined {
  const titles = new Map<string, string>();
  const above = new Map<string, string>();
  return ({ runId, type, step = '', title, data }) => {
    const key = `${runId}/${step}`;
    if (title !== undefined) titles.set(key, title);
    const { parentId, parentStep } = Object(data) as { parentId?: string; parentStep?: string };
    if (type === 'run.created' && parentId !== undefined) above.set(runId, `${parentId}/${parentStep}`);
    const where = titles.get(above.get(runId) ?? '');
    const words = WORDS[type];
    return words === undefined
      ? undefined
      : [where, words(titles.get(key) ?? step)].filter(Boolean).join(': ');
  };
}

const WORDS: Readonly<Record<string, (title: string) => string>> = {
  'step.started': (title) => title,
  'step.failed': (step) => `${step} failed`,
  'step.retrying': (step) => `${step} is tried again`,
  'step.asks': (step) => `${step} waits for a person’s yes`,
  'run.paused': () => 'paused at its budget',
  'run.resumed': () => 'goes on',
};
