import { type SessionScope, ToolError } from '@nexus/plugin-sdk';
import type { Bus } from './bus.ts';

/** What each kind is looked at by. */
const LOOKED_AT_BY = { workers: 'bus_status', tasks: 'task_status' } as const;

/**
 * Holds a call that ends others' work to what its session was shown: a name or an id may be mistyped, or stand in a
 * text from outside.
 * @throws {ToolError} NEXUS_PREREQUISITE
 */
export function assertLookedAt(
  bus: Bus,
  { session, kind, id }: { session: SessionScope; kind: keyof typeof LOOKED_AT_BY; id: string },
): void {
  if (bus.lookedAt[kind].has(session, id)) return;
  const by = LOOKED_AT_BY[kind];
  const text = `This session has not been shown ${id}, and others may be at work on it. Look at it first, by ${by}, and call this again if it is the one you mean.`;
  throw new ToolError('NEXUS_PREREQUISITE', text, { detail: { missing: [by] } });
}
