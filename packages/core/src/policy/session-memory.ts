import type { SessionScope } from '@nexus/plugin-sdk';
import { Taint } from '../labels/taint.ts';
import { outermost } from '../session/session-scope.ts';
import { createInFlight, type InFlight, type InFlightLimit } from './in-flight.ts';
import { type CallRate, createCallRate, type RateLimit } from './rate-limit.ts';

/** What one session may ask of the server. */
export type SessionLimits = RateLimit & InFlightLimit;

/** What the policies remember of a session and of all that works for it. Calls in flight hold it, so it may outlive the session. */
export interface SessionMemory {
  readonly rate: CallRate;
  readonly inFlight: InFlight;
  /** Names of the tools that succeeded. */
  readonly succeeded: Set<string>;
  /** Names of the tools whose long budget the session's client was warned of. */
  readonly warnedOf: Set<string>;
  /** What a run with its family has come to know, whose scope it is: no other run’s, and not the session’s. */
  taintOf(scope: SessionScope): Taint;
}

export function createSessionMemories(limits: SessionLimits) {
  const memories = new WeakMap<SessionScope, SessionMemory>();
  const taints = new WeakMap<SessionScope, Taint>();
  const taintOf = (scope: SessionScope) => {
    const taint = taints.get(scope) ?? new Taint(undefined);
    taints.set(scope, taint);
    return taint;
  };
  return (scope: SessionScope): SessionMemory => {
    const session = outermost(scope);
    const known = memories.get(session);
    if (known) return known;
    const memory = {
      rate: createCallRate(limits),
      inFlight: createInFlight(limits),
      succeeded: new Set<string>(),
      warnedOf: new Set<string>(),
      taintOf,
    };
    memories.set(session, memory);
    return memory;
  };
}
