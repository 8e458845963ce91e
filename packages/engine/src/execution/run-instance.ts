import { setMaxListeners } from 'node:events';
import { isToolError, ToolError } from '@nexus/plugin-sdk';
import { redactText } from '@nexus/untrusted/secrets';
import { runsBefore } from '../record/begun-before.ts';
import { type DoneBefore, doneBefore, type RunBefore, valueBefore } from '../record/done-before.ts';
import { endRun, type RunEnding } from '../record/ending.ts';
import { type RunToken, saveMessage, standingOf } from '../record/fence.ts';
import { isOfUnknownOutcome, isUntold } from '../record/kept-steps.ts';
import { leaveRun } from '../record/leaving.ts';
import type { RunDatabase } from '../record/run-database.ts';
import { type Arrived, arrivedSteps, takeArrived } from '../record/steps.ts';
import type { RunRow, StepRow } from '../record/tables.ts';
import { AskedBefore } from './asked-before.ts';
import { Delivery } from './delivery.ts';
import { Doing } from './doing.ts';
import type { InstanceServices } from './instance-services.ts';
import { changed, departed, lossOf } from './losses.ts';
import { RunWriter } from './run-writer.ts';

/** How long a process that ends tries to say that it leaves a run. */
const LEAVE_MS = 2_000;
/** How long work gets to end after its run has. */
const SETTLE_MS = 5_000;

/** How soon what a run says is on record: a person elsewhere reads it as what it does now. */
const SAVE_MESSAGE_MS = 1_000;

/** One run in this process: what is running of it, and how it ends here. */
export class RunInstance {
  readonly run: RunRow;
  readonly token: RunToken;
  readonly services: InstanceServices;
  readonly history: ReadonlyMap<string, StepRow>;
  readonly delivery: Delivery;
  readonly writer: RunWriter;
  /** What it has asked for so far. */
  readonly asked = new AskedBefore();
  /** What it does at the moment. */
  readonly doing: Doing;
  readonly #controller = new AbortController();
  readonly #gone = new AbortController();
  #isOver = false;
  #isBroken = false;
  #isLost = false;
  #isLeft = false;
  #hasEnded = false;
  #pausing: unknown;
  /** The runs that it goes on from. */
  #before: Promise<readonly RunBefore[]> | undefined;
  /** What the run said last, the same without secrets, and what of it is not on record yet. */
  #said: string | undefined;
  #shown = '';
  #message: string | undefined;
  #isSavingSoon = false;

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
      onDeparture: (departure) => void this.#refuse(departed(run, departure)),
      onHanded: () => this.doing.stir(),
    });
    this.writer = new RunWriter({
      on,
      token: this.token,
      seq,
      delivery: this.delivery,
      onLost: () => void this.#lose(),
      onBroken: (error) => void this.#breakOff(error),
    });
    const { parkAfterMs, parkFamily } = services;
    this.doing = new Doing({
      ...{ ground: on.ground, parkAfterMs, parkFamily },
      isQuiet: () => this.#isQuiet,
      isOver: () => this.#isOver,
      isPausing: () => this.isPausing,
      onResting: () => services.onResting(run.id),
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Another has it now, or nobody: it was not left by this process. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** This process left it on record, for whoever comes next or until something comes for it. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  /** Its end is on record, by this process. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** What a step had done in the runs that this one goes on from. */
  async doneBefore(step: string): Promise<DoneBefore | undefined> {
    return this.#ofBefore((on, before) => doneBefore(on, before, step));
  }

  /** What a value was there. */
  async valueBefore(name: string): Promise<{ readonly value: unknown } | undefined> {
    return this.#ofBefore((on, before) => valueBefore(on, before, name));
  }

  async #ofBefore<Result>(
    read: (on: RunDatabase, before: readonly RunBefore[]) => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    if (this.run.rerun_of === null) return undefined;
    const { on } = this.services;
    this.#before ??= this.writer.read(() => runsBefore(on.db, on, this.run.id));
    const before = await this.#before;
    return before.length === 0 ? undefined : this.writer.read(() => read(on, before));
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
    if (missing !== undefined && !saysSo) {
      return this.#refuse(departed(this.run, { missing, asked: undefined }));
    }
    // What still runs was waited for by nobody.
    this.#controller.abort(new ToolError('NEXUS_CANCELLED', 'The run that this work was for is over.'));
    await this.doing.settled(SETTLE_MS);
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
      await this.orGone(written);
    } catch (error) {
      log.error('the end of a run could not be recorded', { run: this.run.id, err: error });
    }
    this.abandon(new ToolError('NEXUS_CANCELLED', 'The run is over.'));
  }

  /** Nothing of it is on its way to the record, nor from there: what it was just handed may lead to its next step, or its end. */
  get #isQuiet(): boolean {
    return this.writer.isIdle && !this.delivery.isBusy;
  }

  get isPausing(): boolean {
    return this.#pausing !== undefined;
  }

  /** Whether nothing new of it is to begin here: it has left, is about to, or its function has come to its end. */
  get beginsNothing(): boolean {
    return this.#isOver || this.#isLeft || this.isPausing || this.signal.aborted;
  }

  /** Starts nothing new, lets what runs end, and leaves the run to whoever resumes it. */
  async pause(error: unknown): Promise<void> {
    if (this.#pausing !== undefined || this.#isOver) return;
    this.#pausing = error;
    await this.doing.settled(Number.POSITIVE_INFINITY);
    // What it waited for was cut off: whoever did so leaves or ends the run.
    if (this.signal.aborted) return;
    await this.#leave({ status: 'paused', error, event: 'run.paused' });
  }

  /** Leaves a run whose plugin can't be had here as it is: at shutdown to the next process, else to whoever mends that. */
  async keep(error: unknown): Promise<never> {
    if (isToolError(error) && error.code === 'NEXUS_SHUTTING_DOWN') await this.release(error, 0);
    else await this.pause(error);
    return new Promise(() => {});
  }

  /** Whether anything of it has ended on record, be it as of unknown outcome. */
  get hasEndedSteps(): boolean {
    return [...this.history.values()].some((step) => step.end_seq !== null || isUntold(step));
  }

  /** Leaves a run that this process can do nothing of to one that can. */
  async leaveToOthers(): Promise<never> {
    await this.#leave({ status: 'queued' });
    return new Promise(() => {});
  }

  /** Gives the run up at shutdown, for whoever comes next. */
  async release(reason: ToolError, withinMs: number): Promise<void> {
    if (this.#isOver) return;
    this.#pausing ??= reason;
    this.#controller.abort(reason);
    await this.doing.settled(withinMs);
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
      await this.orGone(this.writer.write(() => leaveRun(on, this.token, how)));
    } catch (error) {
      log.error('a run could not be left', { run: this.run.id, err: error });
    }
    this.abandon(new ToolError('NEXUS_CANCELLED', `The run is ${how.status}.`));
  }

  async #refuse(error: ToolError): Promise<void> {
    this.#pausing ??= error;
    await this.#leave({ status: 'paused', error, event: 'run.refused' });
  }

  /** The run's own word that it can't go on as it is. */
  async refuseStep(name: string, why: string): Promise<never> {
    await this.#refuse(changed(this.run, name, why));
    return new Promise(() => {});
  }

  /** Waits for what is written or read of it, for as long as that is this process's to do: what never comes holds nobody. */
  orGone<Result>(pending: Promise<Result>): Promise<Result | undefined> {
    const { signal } = this.#gone;
    return new Promise((resolve, reject) => {
      const onGone = () => resolve(undefined);
      const stopListening = () => signal.removeEventListener('abort', onGone);
      // Taken off again: a run may wait so for as long as it is there.
      pending.finally(stopListening).then(resolve, reject);
      if (signal.aborted) onGone();
      else signal.addEventListener('abort', onGone, { once: true });
    });
  }

  /** Lets the run go: nothing of it is written from here on, and what runs of it is told to end. */
  abandon(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#gone.abort(reason);
    this.doing.stop();
    this.delivery.stop();
    this.writer.stop();
    this.#controller.abort(reason);
    // Until then the run is not claimed again here: its work would run beside itself.
    void this.doing.settled(Number.POSITIVE_INFINITY).then(() => this.services.onGone(this.run.id));
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
    await this.doing.settled(SETTLE_MS);
    await this.#end({ status: 'failed', error });
  }

  /** Looks at the record: whether the run is still this process's, and what has come for it. */
  async look(): Promise<void> {
    if (this.#isOver) return;
    const { on, log } = this.services;
    try {
      const run = await standingOf(on, this.run.id);
      const isOurs =
        run?.status === 'running' && run.owner === this.token.owner && run.epoch === this.token.epoch;
      if (!isOurs) {
        // Told that it was left, before the answer to the write that did so.
        if (!this.#isLeft) this.#isLost = true;
        return this.abandon(lossOf(run?.status));
      }
      this.doing.heard();
      if (!this.doing.isAwaiting) return;
      for (const row of await arrivedSteps(on, this.run.id)) await this.#take(row);
    } catch (error) {
      log.warn('a run could not be looked at; it will be again', { run: this.run.id, err: error });
    }
  }

  /** From now on, takes the answer of a step by a child or a person. */
  async awaits(name: string): Promise<void> {
    this.doing.awaits(name);
    // What has come for it is taken before it is parked, however soon that is: else it would be claimed for it again.
    await this.writer.read(() => this.look());
    this.doing.stir();
  }

  async #take(row: StepRow): Promise<void> {
    if (this.doing.answered(row.name)) await this.takeEnd(row);
  }

  /** What a step came to is on record: only its place in the run's order is not. */
  async takeEnd(row: Arrived): Promise<void> {
    const { on } = this.services;
    const take = async () => {
      await this.writer.end((seq) => takeArrived(on, this.token, row, seq), { isCheap: true });
      this.doing.stir();
      this.services.onRecorded(this.run.id);
    };
    if (!isOfUnknownOutcome(row)) return take();
    this.delivery.tellLast(row.name, () => {
      take().catch((error: unknown) => this.delivery.fail(row.name, error));
    });
  }

  progress(said: string, done?: number, total?: number): void {
    if (this.#isOver) return;
    // A graph says the same at most of its visits: what is on record, or is to be there, is as it was.
    if (said !== this.#said) {
      this.#said = said;
      // It stays on record, as errors do.
      this.#shown = redactText(said);
      this.#message = this.#shown.slice(0, 500);
      this.#saveMessageSoon();
    }
    const message = this.#shown;
    const counts = { ...(done === undefined ? {} : { done }), ...(total === undefined ? {} : { total }) };
    this.services.onProgress(this.run.id, { message, ...counts });
  }

  #saveMessageSoon(): void {
    if (this.#isSavingSoon) return;
    this.#isSavingSoon = true;
    const save = () => {
      this.#isSavingSoon = false;
      void this.saveMessage();
    };
    this.services.on.ground.after(SAVE_MESSAGE_MS, save).unref();
  }

  /** Puts what the run said last on record; whoever looks from elsewhere sees it then. */
  async saveMessage(): Promise<void> {
    const message = this.#message;
    if (message === undefined || this.#isOver) return;
    this.#message = undefined;
    await saveMessage(this.services.on, this.token, message).catch(() => {});
  }

  /** It is claimed again when something comes for it. */
  park(): void {
    if (this.doing.onlyWaits && this.#isQuiet) void this.#leave({ status: 'waiting' });
  }

  /** Whether the run is out of this process's hands by then, with nothing of it left running. */
  async isGoneWithin(ms: number): Promise<boolean> {
    if (!this.#isOver) return false;
    await this.doing.settled(ms);
    // Who is told of it when it is so was told before.
    return this.doing.isDone;
  }
}

export function isBudgetExceeded(error: unknown): boolean {
  return isToolError(error) && error.code === 'NEXUS_BUDGET_EXCEEDED';
}
