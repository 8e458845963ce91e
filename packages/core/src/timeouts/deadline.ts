import { ToolError } from '@nexus/plugin-sdk';
import { type EndSignal, RequestEnd } from './end-signal.ts';
import type { Shutdown } from './shutdown.ts';

/** A call's time: one signal for the three things that end it. */
export interface Deadline extends Disposable {
  /** Fires with `reason`. */
  readonly end: RequestEnd;
  /** Why the time is over; undefined while it is not. */
  readonly reason: ToolError | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Settles as `work` does, or rejects with `reason` if the time is over first. */
  race<T>(work: Promise<T>): Promise<T>;
}

export interface DeadlineInput {
  readonly toolName: string;
  readonly budgetMs: number;
  /** Epoch milliseconds of the outer call's deadline, for a call from inside a tool. */
  readonly outerAt?: number | undefined;
  /** The client's cancel, or the outer call's deadline. */
  readonly caller: EndSignal;
  readonly shutdown: Shutdown;
}

export function startDeadline(input: DeadlineInput): Deadline {
  return new RunningDeadline(input);
}

/** A class for its price: accessors of an object literal are made anew for each call. */
class RunningDeadline implements Deadline {
  readonly end = new RequestEnd();
  readonly at: number;
  readonly #input: DeadlineInput;
  readonly #timer: NodeJS.Timeout;
  readonly #onCaller = () => this.end.end(asToolError(this.#input.caller.reason, this.#input.toolName));
  readonly #onShutdown = () => this.end.end(stopping(this.#input.toolName));

  constructor(input: DeadlineInput) {
    this.#input = input;
    const { budgetMs, outerAt, caller, shutdown } = input;
    this.at = Math.min(Date.now() + budgetMs, outerAt ?? Infinity);
    this.#timer = setTimeout(() => this.end.end(timedOut(input)), budgetMs);
    caller.addEventListener('abort', this.#onCaller, { once: true });
    shutdown.listeners.add(this.#onShutdown);
    if (caller.aborted) this.#onCaller();
    else if (shutdown.hasBegun) this.#onShutdown();
  }

  get reason(): ToolError | undefined {
    return this.end.reason as ToolError | undefined; // this class alone ends it
  }

  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const onEnd = () => reject(this.end.reason);
      this.end.addEventListener('abort', onEnd);
      work.then(resolve, reject);
      if (this.end.aborted) onEnd();
    });
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#input.caller.removeEventListener('abort', this.#onCaller);
    this.#input.shutdown.listeners.delete(this.#onShutdown);
  }
}

function timedOut({ toolName, budgetMs }: DeadlineInput): ToolError {
  const text = `${toolName} did not finish within its budget of ${budgetMs} ms. Narrow the call, or raise tools.${toolName}.timeoutMs in the config.`;
  return new ToolError('NEXUS_TIMEOUT', text, { detail: { budgetMs } });
}

function stopping(toolName: string): ToolError {
  return new ToolError('NEXUS_SHUTTING_DOWN', `The server is stopping; ${toolName} was ended.`);
}

function asToolError(reason: unknown, toolName: string): ToolError {
  if (reason instanceof ToolError) return reason;
  return new ToolError('NEXUS_CANCELLED', `The caller cancelled ${toolName}.`);
}
