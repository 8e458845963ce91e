import { ToolError } from '@nexus/plugin-sdk';
import { cutEndCounted } from '@nexus/primitives';
import type { Place } from '../running.ts';
import { type EndSignal, RequestEnd } from './end-signal.ts';
import { type Shutdown, watchShutdown } from './shutdown.ts';
import { type TimedEnd, timed } from './timed-end.ts';
import { createWakeUpCalls, type Timed, type WakeUpCalls } from './wake-up-calls.ts';

/** A call's time: one signal for the three things that end it. */
export interface Deadline extends Disposable {
  /** Fires with `reason`. */
  readonly end: RequestEnd & TimedEnd;
  /** Why the time is over; undefined while it is not. */
  readonly reason: ToolError | undefined;
  /** Epoch milliseconds; later by the time that it was held. */
  readonly at: number;
  /**
   * Stops the clock, for as long as the call does nothing but to wait for a person whose time is not its own.
   * @returns what lets it go on, once
   */
  hold(): () => void;
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
}

/** The deadlines of one server's calls. */
export interface Deadlines {
  start(input: DeadlineInput): Deadline;
}

/** @param shutdown the server's end, which is every call's */
export function createDeadlines(shutdown: AbortSignal): Deadlines {
  const server = { shutdown: watchShutdown(shutdown), wakeUps: createWakeUpCalls() };
  return { start: (input) => new RunningDeadline(input, server) };
}

interface Server {
  readonly shutdown: Shutdown;
  readonly wakeUps: WakeUpCalls;
}

/** A class for its price: accessors of an object literal are made anew for each call. */
class RunningDeadline implements Deadline, Timed {
  readonly end = timed(new RequestEnd());
  at: number;
  endsAtMs: number;
  readonly #input: DeadlineInput;
  readonly #server: Server;
  #wakeUp: Place<Timed>;
  /** How many hold it, and since when. */
  #pauses = 0;
  #pausedSinceMs = 0;
  #isDone = false;
  readonly #listening: Place<() => void>;
  readonly #onOver = () => this.#isOver();
  #giveUp: ((reason: unknown) => void) | undefined;

  constructor(input: DeadlineInput, server: Server) {
    this.#input = input;
    this.#server = server;
    const { budgetMs, outerAt, caller } = input;
    const { shutdown } = server;
    this.at = Math.min(Date.now() + budgetMs, outerAt ?? Infinity);
    this.endsAtMs = performance.now() + budgetMs;
    this.#wakeUp = server.wakeUps.add(this);
    caller.addEventListener('abort', this.#onOver);
    this.#listening = shutdown.listeners.add(this.#onOver);
    if (caller.aborted || shutdown.hasBegun) this.#isOver();
  }

  get reason(): ToolError | undefined {
    return this.end.reason as ToolError | undefined; // this class alone ends it
  }

  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#giveUp = reject;
      work.then(resolve, reject);
      if (this.end.aborted) reject(this.end.reason);
    });
  }

  hold(): () => void {
    if (this.#pauses === 0) {
      this.#pausedSinceMs = performance.now();
      this.#server.wakeUps.remove(this.#wakeUp);
    }
    this.#pauses += 1;
    let isPaused = true;
    return () => {
      if (isPaused) this.#goOn();
      isPaused = false;
    };
  }

  #goOn(): void {
    this.#pauses -= 1;
    if (this.#pauses > 0 || this.#isDone) return;
    const pausedMs = performance.now() - this.#pausedSinceMs;
    this.endsAtMs += pausedMs;
    this.at += Math.round(pausedMs);
    this.#wakeUp = this.#server.wakeUps.add(this);
  }

  timeIsOver(): void {
    this.#endFor(timedOut(this.#input));
  }

  #isOver(): void {
    const { caller, toolName } = this.#input;
    this.#endFor(caller.aborted ? asToolError(caller.reason, toolName) : stopping(toolName));
  }

  #endFor(reason: ToolError): void {
    this.end.end(reason);
    this.#giveUp?.(this.end.reason);
  }

  [Symbol.dispose](): void {
    this.#isDone = true;
    this.#server.wakeUps.remove(this.#wakeUp);
    this.#input.caller.removeEventListener('abort', this.#onOver);
    this.#server.shutdown.listeners.remove(this.#listening);
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
  return new ToolError('NEXUS_CANCELLED', `The caller cancelled ${toolName}${whyOf(reason)}.`);
}

const MAX_REASON_CHARS = 200;

/** What the caller said of it: whether a person stopped the call or the client's own time ran out stands nowhere else. */
function whyOf(reason: unknown): string {
  const { name, message } = Object(reason) as { name?: unknown; message?: unknown };
  const said = typeof reason === 'string' ? reason : message;
  const isSaid = typeof said === 'string' && said !== 'cancelled' && name !== 'AbortError';
  const [line = ''] = isSaid ? said.trim().split(/[\r\n]/, 1) : [];
  return line === '' ? '' : `: ${cutEndCounted(line, MAX_REASON_CHARS).replace(/\.$/, '')}`;
}
