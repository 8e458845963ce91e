/** One `notifications/progress` (MCP 2025-11-25, Progress). */
export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

export interface ProgressMeter extends Disposable {
  report(message: string, done?: number, total?: number): void;
}

/** A silent tool is reported on this often; half of the 10 s that a client may rely on. */
export const HEARTBEAT_MS = 5_000;
/** How far a report without a number of its own moves: too little to pass for work done. */
const NUDGE = 1e-6;

/**
 * Sends progress that always increases, as MCP demands, and a heartbeat whenever nothing was sent for
 * {@link HEARTBEAT_MS}: a client that resets its timer on progress never gives up on a living call.
 */
export function startProgress(toolName: string, send: (report: ProgressReport) => void): ProgressMeter {
  const startedAt = Date.now();
  let last = 0;
  let timer: NodeJS.Timeout;
  const emit = (message: string, done: number | undefined, total: number | undefined) => {
    clearTimeout(timer);
    schedule();
    last = done !== undefined && done > last ? done : last + NUDGE * Math.max(1, last);
    send({ progress: last, ...(total !== undefined && total >= last ? { total } : {}), message });
  };
  const schedule = () => {
    timer = setTimeout(beat, HEARTBEAT_MS);
    timer.unref?.();
  };
  const beat = () =>
    emit(`${toolName} is running (${Math.round((Date.now() - startedAt) / 1000)} s)`, undefined, undefined);
  schedule();
  return {
    report: emit,
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** Accepts reports of a call whose client asked for none. */
export const noProgress: ProgressMeter = { report() {}, [Symbol.dispose]() {} };
