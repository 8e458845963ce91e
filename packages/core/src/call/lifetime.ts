import { isToolError } from '@nexus/plugin-sdk';
import type { CallerContext } from '../registry/registered-tool.ts';
import type { EndSignal } from '../timeouts/end-signal.ts';

/** As much of a running call as one from inside its tool stands under. */
export type OuterCall = Pick<CallerContext, 'end' | 'deadline' | 'progress'>;

/**
 * Where a call comes from, and so who waits for it and what ends it. All that differs between a client's call,
 * one from inside a tool, and one that is a job, is asked of this and of {@link rulesOf}.
 */
export type Lifetime =
  | {
      readonly kind: 'direct';
      /** The client's cancel, or its going. */
      readonly end: EndSignal;
      /** Once `end` fired: whether the client has gone. */
      hasGone(): boolean;
    }
  | {
      readonly kind: 'nested';
      /** The end of the call from inside whose tool it comes. */
      readonly end: EndSignal;
      /** Of the client at the beginning of the chain, also where a tool calls a tool. */
      hasGone(): boolean;
      readonly outer: OuterCall;
    }
  | {
      readonly kind: 'job';
      /** The job's cancel, or its loss to another server. Its client may come and go. */
      readonly end: EndSignal;
    };

interface Rules {
  /** It takes of the calls that its session may make in a second. A job paid when it was started. */
  readonly paysRate: boolean;
  /** It holds a place among its session's calls in flight. What a tool calls stands in its caller's. */
  readonly holdsPlace: boolean;
  /** Its arguments may ask that it run as a job. */
  readonly mayBecomeJob: boolean;
  /** A client waits for it, and may give up before its budget is spent. */
  readonly isAwaitedByClient: boolean;
}

const RULES = {
  direct: { paysRate: true, holdsPlace: true, mayBecomeJob: true, isAwaitedByClient: true },
  nested: { paysRate: true, holdsPlace: false, mayBecomeJob: true, isAwaitedByClient: false },
  job: { paysRate: false, holdsPlace: false, mayBecomeJob: false, isAwaitedByClient: false },
} as const satisfies Record<Lifetime['kind'], Rules>;

export function rulesOf({ kind }: Lifetime): Rules {
  return RULES[kind];
}

/** The call that it stands under: its deadline holds, and it reports to the same client. */
export function outerOf(lifetime: Lifetime): OuterCall | undefined {
  return lifetime.kind === 'nested' ? lifetime.outer : undefined;
}

/** What calls from inside the tool of such a call live by. */
export function nestedIn(lifetime: Lifetime, outer: OuterCall): Lifetime {
  return { kind: 'nested', end: outer.end, hasGone: () => hasGone(lifetime), outer };
}

/**
 * Whether who made the call wants no more of it. One that merely went comes back with its idempotency key, and
 * where the server ends, the next one goes on.
 */
export function wasGivenUp(lifetime: Lifetime): boolean {
  const { end } = lifetime;
  return end.aborted && !hasGone(lifetime) && !isServersEnd(end.reason);
}

function hasGone(lifetime: Lifetime): boolean {
  return lifetime.kind !== 'job' && lifetime.hasGone();
}

function isServersEnd(reason: unknown): boolean {
  return isToolError(reason) && SERVERS_ENDS.has(reason.code);
}

/** The codes of an end that is this server's own: it stops, or another has taken the job over. */
const SERVERS_ENDS: ReadonlySet<string> = new Set(['NEXUS_SHUTTING_DOWN', 'NEXUS_OUTCOME_UNKNOWN']);
