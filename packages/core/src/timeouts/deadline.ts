import { ToolError } from '@nexus/plugin-sdk';

/** A call's time: one signal for the three things that end it. */
export interface Deadline extends Disposable {
  /** Aborts with a ToolError as its reason. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Settles as `work` does, or rejects with the signal's reason if that fires first. */
  race<T>(work: Promise<T>): Promise<T>;
}

export interface DeadlineInput {
  readonly toolName: string;
  readonly budgetMs: number;
  /** Epoch milliseconds of the outer call's deadline, for a call from inside a tool. */
  readonly outerAt?: number | undefined;
  /** The client's cancel, or the outer call's deadline. */
  readonly caller: AbortSignal;
  readonly shutdown: AbortSignal;
}

export function startDeadline({ toolName, budgetMs, outerAt, caller, shutdown }: DeadlineInput): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const onCaller = () => controller.abort(asToolError(caller.reason, toolName));
  const onShutdown = () =>
    controller.abort(new ToolError('NEXUS_SHUTTING_DOWN', `The server is stopping; ${toolName} was ended.`));
  const timer = setTimeout(() => {
    const text = `${toolName} did not finish within its budget of ${budgetMs} ms. Narrow the call, or raise tools.${toolName}.timeoutMs in the config.`;
    controller.abort(new ToolError('NEXUS_TIMEOUT', text, { detail: { budgetMs } }));
  }, budgetMs);
  timer.unref?.();
  caller.addEventListener('abort', onCaller, { once: true });
  shutdown.addEventListener('abort', onShutdown, { once: true });
  if (caller.aborted) onCaller();
  else if (shutdown.aborted) onShutdown();
  return {
    signal,
    at: Math.min(Date.now() + budgetMs, outerAt ?? Infinity),
    race: (work) => raceSignal(work, signal),
    [Symbol.dispose]() {
      clearTimeout(timer);
      caller.removeEventListener('abort', onCaller);
      shutdown.removeEventListener('abort', onShutdown);
    },
  };
}

function asToolError(reason: unknown, toolName: string): ToolError {
  if (reason instanceof ToolError) return reason;
  return new ToolError('NEXUS_CANCELLED', `The caller cancelled ${toolName}.`);
}

function raceSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
  });
}
