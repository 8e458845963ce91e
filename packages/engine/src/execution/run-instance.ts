import { setMaxListeners } from 'node:events';
import type { KnownOnRecord } from '@nexus/core';
import {
  isToolError,
  type Log,
  type RunCaller,
  type ToolCaller,
  ToolError,
  type Trace,
} from '@nexus/plugin-sdk';
import { redactText } from '@nexus/untrusted/secrets';
import type { Timer } from '../ground.ts';
import { endRun, type RunEnding } from '../record/ending.ts';
import { type RunToken, saveMessage } from '../record/fence.ts';
import { leaveRun } from '../record/leaving.ts';
import { hasEnded, type RunDatabase } from '../record/run-database.ts';
import { arrivedSteps, takeArrived } from '../record/steps.ts';
import type { RunRow, StepRow } from '../record/tables.ts';
import { Delivery, type Departure } from './delivery.ts';
import { RunWriter } from './run-writer.ts';
import type { Settlements } from './settlements.ts';
import type { StepQuestions } from './step-questions.ts';

/** What one run in this process needs of the process. */
export interface InstanceServices {
  readonly on: RunDatabase;
  readonly log: Log;
  readonly settlements: Settlements;
  /** Fires when this process stops, before its runs are released. */
  readonly shutdown: AbortSignal;
  /** Whose call began it in this process. */
  readonly caller: RunCaller | undefined;
  readonly graceMs?: number | undefined;
  /** How long a run that only waits is kept in memory. */
  parkAfterMs(): number;
  /** Parks the run's family, where all that is here of it only waits. @returns whether it does */
  parkFamily(): boolean;
  tools(run: RunRow, at: CallingStep): ToolCaller;
  /** A child was made that is this process's. */
  adoptChild(child: RunRow): void;
  isKnown(kind: { name: string; version: number }): boolean;
  onProgress(runId: string, report: { message: string; done?: number; total?: number }): void;
  /** Something of it is on record now. */
  onRecorded(runId: string): void;
  /** All that it does here now is to wait. */
  onResting(runId: string): void;
  /** It got a step further. */
  onAdvanced(runId: string): void;
  /** It is out of this process's hands, with nothing of it left running. */
  onGone(instance: RunInstance): void;
}

/** The step whose tools are asked for, and what ends its calls. */
export interface CallingStep {
  readonly step: string;
  readonly signal: AbortSignal;
  /** What they are part of. */
  readonly trace?: Trace | undefined;
  /** A person's word on what a call of it would do: undefined while nobody has said any. */
  readonly sayYes: StepQuestions['ask'];
  /** What the run's family has come to know, on record with it. */
  readonly known: KnownOnRecord;
}

/** How long a process that ends tries to say that it leaves a run. */
const LEAVE_MS = 2_000;
/** How long work gets to end after its run has. */
const SETTLE_MS = 5_000;

/** One run in this process: what is running of it, and how it ends here. */
export class RunInstance {
  readonly run: RunRow;
  readonly token: RunToken;
  readonly services: InstanceServices;
  readonly history: ReadonlyMap<string, StepRow>;
  readonly delivery: Delivery;
  readonly writer: RunWriter;
  readonly #controller = new AbortController();
  readonly #names = new Set<string>();
  /** What runs, with the step that it is of. */
  readonly #working = new Map<Promise<unknown>, string>();
  /** Steps that a child or a person is to answer. */
  readonly #awaited = new Set<string>();
  #idle = 0;
  /** Who waits for what the record says next. */
  readonly #listeners = new Set<() => void>();
  readonly #gone = new AbortController();
  readonly #isGone = new Promise<void>((resolve) => {
    this.#gone.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  readonly #guards = new Map<string, number>();
  #isOver = false;
  #isBroken = false;
  #isLost = false;
  #isLeft = false;
  #hasEnded = false;
  #pausing: unknown;
  #parkTimer: Timer | undefined;
  #message: string | undefined;

  constructor(claimed: { run: RunRow; steps: readonly StepRow[]; seq: number }, services: InstanceServices) {
    const { run, steps, seq } = claimed;
    // Each step that runs listens to it, however many there are.
    setMaxListeners(0, this.#controller.signal);
    // So does each write and read that waits for the store.
    setMaxListeners(0, this.#gone.signal);
    this.run = run;
    // No run fails by a store that is away: it waits for as long as it is this process's.
    const on = services.on.waiting({ signal: this.#gone.signal, forMs: Number.POSITIVE_INFINITY });
    this.services = { ...services, on };
    this.token = { runId: run.id, owner: run.owner ?? '', epoch: run.epoch };
    this.history = new Map(steps.map((step) => [step.name, step]));
    this.delivery = new Delivery(steps, {
      ground: on.ground,
      graceMs: services.graceMs,
      onDeparture: (departure) => void this.#refuse(departure),
    });
    this.writer = new RunWriter({
      on,
      token: this.token,
      seq,
      delivery: this.delivery,
      onLost: () => void this.#lose(),
      onBroken: (error) => void this.#breakOff(error),
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Another has it now, or nobody: it was not left by this process. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Its end is on record, by this process. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Takes what the function of the run came to. */
  async conclude(outcome: Promise<unknown>): Promise<void> {
    let ending: RunEnding;
    try {
      ending = { status: 'completed', output: await outcome };
    } catch (error) {
      ending = { status: 'failed', error };
    }
    if (this.#isOver) return;
    const missing = this.delivery.unasked;
    // One that says itself that it can't go on ends by its own word.
    const { error } = ending as { error?: unknown };
    const saysSo = isToolError(error) && error.code === 'NEXUS_RUN_CHANGED';
    if (missing !== undefined && !saysSo) return this.#refuse({ missing, asked: undefined });
    // What still runs was waited for by nobody.
    this.#controller.abort(new ToolError('NEXUS_CANCELLED', 'The run that this work was for is over.'));
    await this.#settled(SETTLE_MS);
    if (!this.#isBroken) await this.#end(ending);
  }

  async #end(ending: RunEnding): Promise<void> {
    const { on, log } = this.services;
    const write = (as: RunEnding) =>
      this.writer.write(() => ({ isLast: true, work: (trx) => endRun(trx, on, this.run.id, as) }));
    try {
      const written = write(ending)
        .catch((error: unknown) => write({ status: 'failed', error }))
        .then(() => {
          this.#hasEnded = true;
        });
      await Promise.race([written, this.#isGone]);
    } catch (error) {
      log.error('the end of a run could not be recorded', { run: this.run.id, err: error });
    }
    this.abandon(new ToolError('NEXUS_CANCELLED', 'The run is over.'));
  }

  /** @throws {Error} for a name that the run has used */
  claimName(name: string): void {
    if (name.length === 0 || name.length > 300) {
      throw new Error(`a step's name has 1 to 300 characters, not ${name.length}`);
    }
    if (this.#names.has(name)) {
      throw new Error(`the run uses the name "${name}" twice: number the steps of a loop`);
    }
    this.#names.add(name);
  }

  /** How often the run has asked for this before. */
  countGuarded(digest: string): number {
    const count = this.#guards.get(digest) ?? 0;
    this.#guards.set(digest, count + 1);
    return count;
  }

  /** Counts work that runs, so that the run is neither left nor parked above it. */
  async working<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
    const running = work();
    this.#working.set(running, step);
    this.#stir();
    try {
      return await running;
    } finally {
      this.#working.delete(running);
      this.#stir();
    }
  }

  get isPausing(): boolean {
    return this.#pausing !== undefined;
  }

  /** Starts nothing new, lets what runs end, and leaves the run to whoever resumes it. */
  async pause(error: unknown): Promise<void> {
    if (this.#pausing !== undefined || this.#isOver) return;
    this.#pausing = error;
    await this.#settled(Number.POSITIVE_INFINITY);
    await this.#leave({ status: 'paused', error, event: 'run.paused' });
  }

  /** Leaves a run whose plugin can't be had here as it is: at shutdown to the next process, else to whoever mends that. */
  async keep(error: unknown): Promise<never> {
    if (isToolError(error) && error.code === 'NEXUS_SHUTTING_DOWN') await this.release(error, 0);
    else await this.pause(error);
    return new Promise(() => {});
  }

  /** Gives the run up at shutdown, for whoever comes next. */
  async release(reason: ToolError, withinMs: number): Promise<void> {
    if (this.#isOver) return;
    this.#pausing ??= reason;
    this.#controller.abort(reason);
    await this.#settled(withinMs);
    // A process that ends waits for no store: who is found to be gone has left its runs too.
    const timer = this.services.on.ground.after(LEAVE_MS, () => this.abandon(reason));
    await this.#leave({ status: 'queued' });
    this.services.on.ground.clear(timer);
  }

  async #leave(how: Parameters<typeof leaveRun>[2]): Promise<void> {
    if (this.#isOver) return;
    this.#isLeft = true;
    const { on, log } = this.services;
    try {
      // A run that is lost by then has nothing to leave.
      await Promise.race([this.writer.write(() => leaveRun(on, this.token, how)), this.#isGone]);
    } catch (error) {
      log.error('a run could not be left', { run: this.run.id, err: error });
    }
    this.abandon(new ToolError('NEXUS_CANCELLED', `The run is ${how.status}.`));
  }

  async #refuse({ missing, asked }: Departure): Promise<void> {
    const instead = asked === undefined ? 'ends without it' : `asks for "${asked}" instead`;
    const { kind, version } = this.run;
    const text = `The run has the step "${missing}" on record, and the code that goes on with it ${instead}: kind ${kind} was changed and kept its version ${version}. Bring the step back and resume the run, or do it again by \`nexus runs rerun ${this.run.id}\`.`;
    const error = new ToolError('NEXUS_RUN_CHANGED', text, { detail: { step: missing, asked } });
    this.#pausing ??= error;
    await this.#leave({ status: 'paused', error, event: 'run.refused' });
  }

  /** The run's own word that it can't go on as it is. */
  async refuseStep(name: string, why: string): Promise<never> {
    const text = `The step "${name}" is on record ${why}: kind ${this.run.kind} was changed and kept its version ${this.run.version}. Bring it back and resume the run, or do it again by \`nexus runs rerun ${this.run.id}\`.`;
    const error = new ToolError('NEXUS_RUN_CHANGED', text, { detail: { step: name } });
    this.#pausing ??= error;
    await this.#leave({ status: 'paused', error, event: 'run.refused' });
    return new Promise(() => {});
  }

  /** Lets the run go: nothing of it is written from here on, and what runs of it is told to end. */
  abandon(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#gone.abort(reason);
    this.services.on.ground.clear(this.#parkTimer);
    this.delivery.stop();
    this.writer.stop();
    this.#controller.abort(reason);
    // Until then the run is not claimed again here: its work would run beside itself.
    void this.#settled(Number.POSITIVE_INFINITY).then(() => this.services.onGone(this));
  }

  /** A write was refused: says why, as far as the record tells. */
  async #lose(): Promise<void> {
    await this.look();
    this.#isLost = true;
    this.abandon(lossOf(undefined));
  }

  /** The run was told of an end that can't be put on record: it can't go on from there. */
  async #breakOff(error: ToolError): Promise<void> {
    this.#isBroken = true;
    this.#pausing ??= error;
    this.#controller.abort(error);
    await this.#settled(SETTLE_MS);
    await this.#end({ status: 'failed', error });
  }

  /** Looks at the record: whether the run is still this process's, and what has come for it. */
  async look(): Promise<void> {
    if (this.#isOver) return;
    const { on, log } = this.services;
    try {
      const run = await on.db
        .selectFrom('runs_runs')
        .select(['status', 'owner', 'epoch', 'error'])
        .where('id', '=', this.run.id)
        .executeTakeFirst();
      const isOurs =
        run?.status === 'running' && run.owner === this.token.owner && run.epoch === this.token.epoch;
      if (!isOurs) {
        // Told that it was left, before the answer to the write that did so.
        if (!this.#isLeft) this.#isLost = true;
        return this.abandon(lossOf(run?.status));
      }
      for (const heard of this.#listeners) heard();
      if (this.#awaited.size === 0) return;
      for (const row of await arrivedSteps(on, this.run.id)) await this.#take(row);
    } catch (error) {
      log.warn('a run could not be looked at; it will be again', { run: this.run.id, err: error });
    }
  }

  /** From now on, takes the answer of a step by a child or a person. */
  async awaits(name: string): Promise<void> {
    this.#awaited.add(name);
    this.#stir();
    // What has come for it is taken before it is parked, however soon that is: else it would be claimed for it again.
    await this.writer.read(() => this.look());
    this.#stir();
  }

  async #take(row: StepRow): Promise<void> {
    if (!this.#awaited.delete(row.name)) return;
    const { on } = this.services;
    // Its answer is on record: only its place in the run's order is not.
    await this.writer.end((seq) => takeArrived(on, this.token, row, seq), { isCheap: true });
    this.#stir();
    this.services.onRecorded(this.run.id);
  }

  /**
   * Waits, doing nothing, for as long as `isOpen` says so of the record: asked now, and each time that something of the
   * run was put there from elsewhere.
   */
  async whileOpen(isOpen: () => Promise<boolean>): Promise<void> {
    for (;;) {
      let heard = () => {};
      const next = new Promise<void>((resolve) => {
        heard = resolve;
      });
      this.#listeners.add(heard);
      try {
        if (this.#isOver || !(await isOpen())) return;
        await this.idle(next);
      } finally {
        this.#listeners.delete(heard);
      }
    }
  }

  /** A wait for time alone. */
  async idle(wait: Promise<unknown>): Promise<void> {
    this.#idle += 1;
    this.#stir();
    try {
      await wait;
    } finally {
      this.#idle -= 1;
      this.#stir();
    }
  }

  progress(said: string, done?: number, total?: number): void {
    if (this.#isOver) return;
    // It stays on record, as errors do.
    const message = redactText(said);
    this.#message = message.slice(0, 500);
    const counts = { ...(done === undefined ? {} : { done }), ...(total === undefined ? {} : { total }) };
    this.services.onProgress(this.run.id, { message, ...counts });
  }

  /** Puts what the run said last on record; whoever looks from elsewhere sees it then. */
  async saveMessage(): Promise<void> {
    const message = this.#message;
    if (message === undefined || this.#isOver) return;
    this.#message = undefined;
    await saveMessage(this.services.on, this.token, message).catch(() => {});
  }

  get #onlyWaits(): boolean {
    const waits = this.#awaited.size > 0 || this.#idle > 0;
    return waits && this.#working.size === 0 && !this.#isOver && !this.isPausing;
  }

  /** Looks again and again whether a run that does nothing but wait may be parked, with its family. */
  #stir(): void {
    const { ground } = this.services.on;
    ground.clear(this.#parkTimer);
    if (!this.#onlyWaits) return;
    if (this.writer.isIdle) this.services.onResting(this.run.id);
    this.#parkTimer = ground.after(this.services.parkAfterMs(), () => {
      if (!this.services.parkFamily()) this.#stir();
    });
    this.#parkTimer.unref();
  }

  /** Others wait for its place: how long it is kept while it waits is asked anew. */
  hurry(): void {
    this.#stir();
  }

  /** @param byChildren steps that do nothing but wait for a run of the family that is here */
  isAtRest(byChildren: ReadonlySet<string>): boolean {
    if (this.#isOver) return true;
    const working = [...this.#working.values()];
    if (working.length === 0) return this.#onlyWaits && this.writer.isIdle;
    return working.every((step) => byChildren.has(step));
  }

  /** It is claimed again when something comes for it. */
  park(): void {
    if (this.#onlyWaits && this.writer.isIdle) void this.#leave({ status: 'waiting' });
  }

  /** Whether the run is out of this process's hands by then, with nothing of it left running. */
  async isGoneWithin(ms: number): Promise<boolean> {
    if (!this.#isOver) return false;
    await this.#settled(ms);
    // Who is told of it when it is so was told before.
    return this.#working.size === 0;
  }

  async #settled(withinMs: number): Promise<void> {
    const { ground } = this.services.on;
    while (this.#working.size > 0) {
      const all = Promise.allSettled([...this.#working.keys()]);
      if (withinMs === Number.POSITIVE_INFINITY) {
        await all;
        continue;
      }
      let timer: Timer | undefined;
      const late = new Promise<'late'>((resolve) => {
        timer = ground.after(withinMs, () => resolve('late'));
      });
      const first = await Promise.race([all, late]);
      ground.clear(timer);
      if (first === 'late') return;
    }
  }
}

function lossOf(status: RunRow['status'] | undefined): ToolError {
  if (status === 'cancelled') return new ToolError('NEXUS_CANCELLED', 'The run was cancelled.');
  if (status === 'failed') return new ToolError('NEXUS_TIMEOUT', 'The run is out of time.');
  if (status !== undefined && hasEnded(status)) return new ToolError('NEXUS_CANCELLED', 'The run is over.');
  return new ToolError('NEXUS_OUTCOME_UNKNOWN', 'Another process has taken the run over.');
}

export function isBudgetExceeded(error: unknown): boolean {
  return isToolError(error) && error.code === 'NEXUS_BUDGET_EXCEEDED';
}
