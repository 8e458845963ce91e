/** One `notifications/progress` (MCP 2025-11-25, Progress). */
export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface ProgressMeter extends Disposable {
  report(message: string | undefined, done?: number, total?: number): void;
}

/** A silent tool is reported on this often; half of the 10 s that a client may rely on. */
export const HEARTBEAT_MS = 5_000;
/** How far a report without a number of its own moves: too little to pass for work done. */
const NUDGE = 1e-6;

/**
 * Sends progress that always increases, as MCP demands, and a heartbeat whenever nothing was sent for
 * {@link HEARTBEAT_MS}: a client that resets its timer on progress never gives up on a living call.
 * Nothing is sent after disposal, whatever a tool that outlives its call reports.
 */
export function startProgress(toolName: string, send: (report: ProgressReport) => void): ProgressMeter {
  const startedAt = Date.now();
  let last: number | undefined;
  /** Of what, since that is known. */
  let known: number | undefined;
  let hasEnded = false;
  const emit: ProgressMeter['report'] = (message, done, total) => {
    if (hasEnded) return;
    timer.refresh();
    last = isFurther(done, last) ? done : nudged(last);
    // Words between two counts take nothing back of what is known by then.
    if (done !== undefined) known = total;
    const of = known !== undefined && known >= last && known < Infinity ? known : undefined;
    send({
      progress: last,
      ...(of === undefined ? {} : { total: of }),
      ...(message === undefined ? {} : { message }),
    });
  };
  const beat = () => emit(`${toolName} is running (${Math.round((Date.now() - startedAt) / 1000)} s)`);
  const timer = setInterval(beat, HEARTBEAT_MS);
  timer.unref();
  return {
    report: emit,
    [Symbol.dispose]() {
      hasEnded = true;
      clearInterval(timer);
    },
  };
}

/** A first report may say 0: nothing is done yet. */
function isFurther(done: number | undefined, last: number | undefined): done is number {
  if (done === undefined || done > Number.MAX_SAFE_INTEGER) return false;
  return last === undefined ? done >= 0 : done > last;
}

function nudged(last = 0): number {
  return last + NUDGE * Math.max(1, last);
}

/** Accepts reports of a call whose client asked for none. */
export const noProgress: ProgressMeter = { report() {}, [Symbol.dispose]() {} };
