import { isToolError, ToolError } from '@nexus/plugin-sdk';
import { isRecord } from '../json-type.ts';
import type { CallerContext } from '../registry/registered-tool.ts';
import type { EndSignal } from '../timeouts/end-signal.ts';
import type { CallRequest } from './call-request.ts';

/** Of a call's `_meta`: the run that it starts goes on when its client goes. One that is cancelled is ended. */
export const LEAVES_RUN_META = 'nexus/leavesRun';

/** As much of a running call as one from inside its tool stands under. */
export type OuterCall = Pick<CallerContext, 'end' | 'deadline' | 'progress'>;

/**
 * Where a call comes from, and so who waits for it and what ends it. All that differs between a client's call,
 * one from inside a tool or a run, and one that is a job, is asked of this and of {@link rulesOf}.
 */
export type Lifetime =
  | {
      readonly kind: 'direct';
      /** The client's cancel, or its going. */
      readonly end: EndSignal;
      /** Once `end` fired: whether the client has gone. */
      hasGone(): boolean;
      /** Whether a job has it by now, which was told to the client in the place of its answer. */
      isHandedOver?(): boolean;
    }
  | {
      readonly kind: 'nested';
      /** The end of the call from inside whose tool it comes, or of the step that makes it. */
      readonly end: EndSignal;
      /** Of the client at the beginning of the chain, also where a tool calls a tool. */
      hasGone(): boolean;
      /** Absent for a step's: no call is open above it. */
      readonly outer: OuterCall | undefined;
      /** Whether a client's call is at the beginning of the chain. */
      readonly isForClient: boolean;
      /** Of that one's call. */
      isHandedOver?(): boolean;
    }
  | {
      readonly kind: 'job';
      /** The job's cancel, or its loss to another server. Its client may come and go. */
      readonly end: EndSignal;
      /** Whether another server began it: what it was let in by has been looked at. */
      readonly isAgain: boolean;
    };

interface Rules {
  /** A client made it and waits: it may give up before the budget is spent, and asks for a task where it must. */
  readonly isClients: boolean;
  /** It takes of the calls that its session may make in a second. A job paid when it was started. */
  readonly paysRate: boolean;
  /** It holds a place among its session's calls in flight. What a tool or a run calls stands in that one's. */
  readonly holdsPlace: boolean;
  /** Its arguments may ask that it run as a job. */
  readonly mayBecomeJob: boolean;
}

const RULES = {
  direct: { isClients: true, paysRate: true, holdsPlace: true, mayBecomeJob: true },
  nested: { isClients: false, paysRate: true, holdsPlace: false, mayBecomeJob: true },
  job: { isClients: false, paysRate: false, holdsPlace: false, mayBecomeJob: false },
} as const satisfies Record<Lifetime['kind'], Rules>;

export function rulesOf({ kind }: Lifetime): Rules {
  return RULES[kind];
}

/** The call that it stands under: its deadline holds, and it reports to the same client. */
export function outerOf(lifetime: Lifetime): OuterCall | undefined {
  return lifetime.kind === 'nested' ? lifetime.outer : undefined;
}

const never = () => false;

/** What a call lives by that comes from a client, or from a step of a run. */
export function lifetimeOf({ params, signal, hasGone = never, run }: CallRequest): Lifetime {
  if (run !== undefined)
    return { kind: 'nested', end: signal, hasGone, outer: undefined, isForClient: false };
  const leavesRun = isRecord(params._meta) && params._meta[LEAVES_RUN_META] === true;
  return { kind: 'direct', end: leavesRun ? new LeavingEnd(signal, hasGone) : signal, hasGone };
}

/**
 * The same end, which says of a client that has gone what it leaves behind. A class for its price: accessors of an
 * object literal are made anew for each call.
 */
class LeavingEnd implements EndSignal {
  readonly #end: EndSignal;
  readonly #hasGone: () => boolean;

  constructor(end: EndSignal, hasGone: () => boolean) {
    this.#end = end;
    this.#hasGone = hasGone;
  }

  get aborted(): boolean {
    return this.#end.aborted;
  }

  get reason(): unknown {
    if (!this.#hasGone()) return this.#end.reason;
    const text = 'The client has gone; the run of its call goes on.';
    return new ToolError('NEXUS_CANCELLED', text, { detail: { leavesRun: true } });
  }

  addEventListener(...listener: Parameters<EndSignal['addEventListener']>): void {
    this.#end.addEventListener(...listener);
  }

  removeEventListener(...listener: Parameters<EndSignal['removeEventListener']>): void {
    this.#end.removeEventListener(...listener);
  }
}

/** What the call of a job lives by that another server left. */
export function againAsJob({ signal }: CallRequest): Lifetime {
  return { kind: 'job', end: signal, isAgain: true };
}

/** What calls from inside the tool of such a call live by. */
export function nestedIn(lifetime: Lifetime, outer: OuterCall): Lifetime {
  const isForClient = isWaitedFor(lifetime);
  return {
    kind: 'nested',
    end: outer.end,
    hasGone: () => hasGone(lifetime),
    isHandedOver: () => isHandedOver(lifetime),
    outer,
    isForClient,
  };
}

/** Whether a client waits by this call: what a run asks is then asked of that one. */
export function isWaitedFor(lifetime: Lifetime): boolean {
  return lifetime.kind === 'nested' ? lifetime.isForClient : lifetime.kind === 'direct';
}

/** Whether a client is yet to be given what comes of this call. */
export function isForClient(lifetime: Lifetime): boolean {
  return isWaitedFor(lifetime) && !isHandedOver(lifetime);
}

/** What has work done once the client has its answer; undefined where none is yet to be given one. */
export function afterAnswerOf(
  { afterAnswer }: Pick<CallRequest, 'afterAnswer'>,
  lifetime: Lifetime,
): CallRequest['afterAnswer'] {
  if (!afterAnswer || !isForClient(lifetime)) return undefined;
  return (work) =>
    // It may have been answered otherwise: that a job has it by now.
    afterAnswer(async () => {
      if (isForClient(lifetime)) await work();
    });
}

/**
 * Whether who made the call wants no more of it. One that merely went comes back with its idempotency key, and
 * where the server ends, the next one goes on.
 */
export function wasGivenUp(lifetime: Lifetime): boolean {
  const { end } = lifetime;
  return end.aborted && !hasGone(lifetime) && !isServersEnd(end.reason);
}

/** Whether a client's call is waited for no more, and what it started is not to go on all the same. */
export function wasLeft({ end }: Lifetime): boolean {
  return end.aborted && !isToBeLeft(end.reason);
}

/** Whether another server let it in: what its session had done by then, that one knew. */
export function wasLetIn(lifetime: Lifetime): boolean {
  return lifetime.kind === 'job' && lifetime.isAgain;
}

function isHandedOver(lifetime: Lifetime): boolean {
  return lifetime.kind !== 'job' && lifetime.isHandedOver?.() === true;
}

function hasGone(lifetime: Lifetime): boolean {
  return lifetime.kind !== 'job' && lifetime.hasGone();
}

function isToBeLeft(reason: unknown): boolean {
  return isToolError(reason) && reason.detail?.leavesRun === true;
}

function isServersEnd(reason: unknown): boolean {
  return isToolError(reason) && SERVERS_ENDS.has(reason.code);
}

/** The codes of an end that is this server's own: it stops, or another has taken the job over. */
const SERVERS_ENDS: ReadonlySet<string> = new Set(['NEXUS_SHUTTING_DOWN', 'NEXUS_OUTCOME_UNKNOWN']);
