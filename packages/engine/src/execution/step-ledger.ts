import {
  type CallCost,
  type CallEstimate,
  type Ledger,
  type Reservation,
  type Spend,
  ToolError,
  unpriced,
} from '@nexus/plugin-sdk';
import { counted, untilAborted } from '@nexus/primitives';
import {
  type CallOnRecord,
  callsOnRecord,
  confirmOwner,
  keepArrived,
  leaveCall,
  type Reserving,
  reserve,
  settle,
  takePaid,
} from '../record/paying.ts';
import type { RunDatabase } from '../record/run-database.ts';
import { digestOf } from '../record/values.ts';
import type { AnswersBefore } from './answers-before.ts';
import type { RunInstance } from './run-instance.ts';
import { stillOurs } from './still-ours.ts';

export interface StepLedger extends Ledger {
  /** Whether a call was made on it: there is something to be closed with the step. */
  isUsed(): boolean;
}

interface StepAttempt {
  readonly step: string;
  readonly attempt: number;
  /** Whether an earlier owner was in the middle of it: what it was answered is on record. */
  readonly isTakenUp: boolean;
  /** What runs before had paid in its place. */
  readonly before: AnswersBefore | undefined;
  readonly signal: AbortSignal;
}

interface Reserved {
  readonly id: string;
  readonly arrived: string | null;
  /** When the record was asked last whose the run is: a process may stand still until it reads the answer. */
  readonly askedAt: number;
}

/** The budget of a run's family, as one attempt of a step spends it, and what the step was answered for it. */
export function stepLedger(
  instance: RunInstance,
  { step, attempt, isTakenUp, before, signal }: StepAttempt,
): StepLedger {
  const { services, token } = instance;
  const { on, settlements } = services;
  const { id: runId, root_id: rootId } = instance.run;
  const payer = { rootId, runId, step };
  let count = 0;
  let earlier: Promise<CallOnRecord[]> | undefined;

  /** As surely as all that a run's owner writes, and no longer than the step. */
  const surely = <Result>(work: () => Promise<Result>): Promise<Result> =>
    untilAborted(instance.writer.read(work), signal);

  /** The same call as an earlier owner made it, once. */
  async function take(digest: string | null): Promise<CallOnRecord | undefined> {
    earlier ??= isTakenUp ? callsOfEarlier() : Promise.resolve([]);
    const calls = await earlier;
    const at = calls.findIndex((call) => call.digest === digest);
    return at < 0 ? undefined : calls.splice(at, 1)[0];
  }

  async function callsOfEarlier(): Promise<CallOnRecord[]> {
    const calls = await surely(() => callsOnRecord(on, payer));
    before?.leaveOut(runId, new Set(calls.map(({ id }) => id)));
    return calls;
  }

  /** The answer that a run before had paid for the same call. */
  async function takeBefore(digest: string | null): Promise<Reservation | undefined> {
    const paid = digest === null ? undefined : before?.takePaid(digest);
    if (!paid) return undefined;
    await surely(() => takePaid(on, token, { payer, paid }));
    services.onRecorded(runId);
    return answered(paid.answer);
  }

  async function reserveOnce(
    call: { id: string; digest: string | null; estimate: CallEstimate; isPaid?: boolean },
    what: string,
  ): Promise<Exclude<Reserving, { is: 'over' | 'unpriced' }> & { readonly askedAt: number }> {
    const attemptOnce = async () => {
      const askedAt = on.ground.now();
      const reserving = await surely(() => reserve(on, token, { ...payer, ...call }));
      if (reserving.is === 'unpriced') throw unpriced(what, reserving.cap);
      if (reserving.is !== 'over') return { ...reserving, askedAt };
      // In flight, calls count as the most they may cost: only what is really spent is in the way.
      if (!reserving.mayFit) throw exceeded(reserving, call.estimate, what);
      return undefined;
    };
    return (await attemptOnce()) ?? settlements.untilRoom({ rootId, signal }, attemptOnce);
  }

  function reservationOf({ id, arrived, askedAt }: Reserved): Reservation {
    let sureAt = askedAt;
    makeReady(on);
    return {
      ...(arrived === null ? {} : { arrived: { value: JSON.parse(arrived) } }),
      async confirm() {
        sureAt = await stillOurs(on.ground, sureAt, () => surely(() => confirmOwner(on, token)));
      },
      keep(value: unknown) {
        const answer = JSON.stringify(value);
        keepArrived(on, { id, epoch: token.epoch, answer }).catch(() => {}); // `settle` writes it as well
      },
      async settle(spent: CallCost, answer?: unknown) {
        // Of a run that is over here, or goes on elsewhere: it stays as it is, for who makes it again.
        if (spent.isUnknown && instance.signal.aborted) return;
        const kept = answer === undefined ? null : (JSON.stringify(answer) ?? null);
        // What was paid for is not lost with a connection, nor with a run that is over.
        const surest = on.waiting({ forMs: Number.POSITIVE_INFINITY });
        const { epoch } = token;
        if (spent.isUnknown) await leaveCall(surest, { id, epoch });
        else await settle(surest, { id, epoch, spent, answer: kept });
        settlements.tell(rootId);
        services.onRecorded(runId);
      },
    };
  }

  return {
    rootId,
    isUsed: () => count > 0 || isTakenUp,
    async reserve(estimate, what, asked) {
      signal.throwIfAborted();
      count += 1;
      const digest = asked === undefined ? null : digestOf(asked);
      const own = `${runId}/${token.epoch}/${step}/${attempt}/${count}`;
      const onRecord = await take(digest);
      if (onRecord?.is_settled && onRecord.answer !== null) return answered(onRecord.answer);
      const kept = onRecord ? undefined : await takeBefore(digest);
      if (kept) return kept;
      const id = onRecord?.id ?? own;
      const isPaid = onRecord !== undefined && onRecord.answer !== null;
      const reserving = await reserveOnce({ id, digest, estimate, isPaid }, what);
      if (reserving.is === 'reserved') return reservationOf({ id, ...reserving });
      if (reserving.answer !== null) return answered(reserving.answer);
      // Settled meanwhile by who had it before, and without an answer: this is a new call.
      const { askedAt } = await reserveOnce({ id: own, digest, estimate }, what);
      return reservationOf({ id: own, arrived: null, askedAt });
    },
  };
}

const ready = new WeakSet<object>();

/** What the first answer of a process would wait for (a connection, code that has never run) is there before it comes. */
function makeReady(on: RunDatabase): void {
  if (ready.has(on.store)) return;
  ready.add(on.store);
  keepArrived(on, { id: '', epoch: 0, answer: '' }).catch(() => {});
}

function answered(answer: string): Reservation {
  return { answer: { value: JSON.parse(answer) }, confirm: async () => {}, settle: async () => {} };
}

function exceeded(
  { spending: { spent, reserved }, ofFamily, cap }: Extract<Reserving, { is: 'over' }>,
  estimate: Spend,
  what: string,
): ToolError {
  const inFlight =
    reserved.tokens + reserved.costUsd > 0 ? `; calls in flight may cost ${inWords(reserved)}` : '';
  // A higher cap is one of the whole family, in which calls in flight have come to their end once the run is paused.
  const least = {
    ...(cap.tokens === undefined ? {} : { tokens: ofFamily.tokens + estimate.tokens }),
    ...(cap.costUsd === undefined ? {} : { costUsd: ofFamily.costUsd + estimate.costUsd }),
  };
  const text = `${what} may cost ${inWords(estimate)}, and ${inWords(spent)} of at most ${inWords(cap)} are spent${inFlight}. What is done is kept: raise the cap to at least ${leastInWords(least)} and resume the run. That is enough for this call, and not for those after it.`;
  return new ToolError('NEXUS_BUDGET_EXCEEDED', text, { detail: { spent, reserved, estimate, cap } });
}

export function inWords({ tokens, costUsd }: Partial<Spend>): string {
  const parts = [
    ...(tokens === undefined ? [] : [counted(Math.ceil(tokens), 'token')]),
    ...(costUsd === undefined ? [] : [`$${costUsd.toFixed(4)}`]),
  ];
  return parts.join(' and ');
}

/** As a cap that suffices: whoever gives what is shown is not refused for what was rounded off. */
export function leastInWords({ costUsd, ...least }: Partial<Spend>): string {
  if (costUsd === undefined) return inWords(least);
  return inWords({ ...least, costUsd: Math.ceil(costUsd * 10_000 - 1e-6) / 10_000 });
}
