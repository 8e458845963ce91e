import { ToolError } from '@nexus/plugin-sdk';
import type { Shutdown } from './shutdown.ts';

/** A call's time: one signal for the three things that end it. */
export interface Deadline extends Disposable {
  /** Aborts with `reason`. Made when first asked for: a tool that answers at once never is. */
  readonly signal: AbortSignal;
  /** Why the time is over; undefined while it is not. */
  readonly reason: ToolError | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Settles as `work` does, or rejects with `reason` if the time is over first. Called once. */
  race<T>(work: Promise<T>): Promise<T>;
}

export interface DeadlineInput {
  readonly toolName: string;
  readonly budgetMs: number;
  /** Epoch milliseconds of the outer call's deadline, for a call from inside a tool. */
  readonly outerAt?: number | undefined;
  /** The client's cancel, or the outer call's deadline. */
  readonly caller: AbortSignal;
  readonly shutdown: Shutdown;
}

export function startDeadline({ toolName, budgetMs, outerAt, caller, shutdown }: DeadlineInput): Deadline {
  let controller: AbortController | undefined;
  let reason: ToolError | undefined;
  let reject: ((reason: ToolError) => void) | undefined;
  const end = (why: ToolError) => {
    if (reason) return;
    reason = why;
    controller?.abort(why);
    reject?.(why);
  };
  const onCaller = () => end(asToolError(caller.reason, toolName));
  const onShutdown = () =>
    end(new ToolError('NEXUS_SHUTTING_DOWN', `The server is stopping; ${toolName} was ended.`));
  const timer = setTimeout(() => {
    const text = `${toolName} did not finish within its budget of ${budgetMs} ms. Narrow the call, or raise tools.${toolName}.timeoutMs in the config.`;
    end(new ToolError('NEXUS_TIMEOUT', text, { detail: { budgetMs } }));
  }, budgetMs);
  caller.addEventListener('abort', onCaller, { once: true });
  shutdown.listeners.add(onShutdown);
  if (caller.aborted) onCaller();
  else if (shutdown.hasBegun) onShutdown();
  return {
    get signal() {
      if (!controller) {
        controller = new AbortController();
        if (reason) controller.abort(reason);
      }
      return controller.signal;
    },
    get reason() {
      return reason;
    },
    at: Math.min(Date.now() + budgetMs, outerAt ?? Infinity),
    race: (work) =>
      new Promise((resolve, rejectRace) => {
        reject = rejectRace;
        work.then(resolve, rejectRace);
        if (reason) rejectRace(reason);
      }),
    [Symbol.dispose]() {
      clearTimeout(timer);
      caller.removeEventListener('abort', onCaller);
      shutdown.listeners.delete(onShutdown);
    },
  };
}

function asToolError(reason: unknown, toolName: string): ToolError {
  if (reason instanceof ToolError) return reason;
  return new ToolError('NEXUS_CANCELLED', `The caller cancelled ${toolName}.`);
}
