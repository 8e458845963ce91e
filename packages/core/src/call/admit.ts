import { sizeInChars } from '../policy/in-flight.ts';
import { assertPermitted, type Permissions } from '../policy/permissions.ts';
import { assertPrerequisites } from '../policy/prerequisites.ts';
import type { ParsedCall } from './call.ts';
import { rulesOf, wasLetIn } from './lifetime.ts';

const holdsNothing = () => {};

/** Of arguments: each stage of such a call takes tens of milliseconds, so others have their turn between. */
const LONG_CHARS = 1024 * 1024;

export interface Admitted {
  /** Gives the call's place back; to be called once when the call is over. */
  leave(): void;
  /** Whether its arguments are so long that others have their turn between its stages. */
  readonly isLong: boolean;
}

/**
 * Lets a call in: as many at a time and as often as its session may, where it is permitted, and after what the
 * tool wants to have succeeded.
 * @throws {ToolError} NEXUS_RATE_LIMITED, NEXUS_DENIED, NEXUS_PREREQUISITE
 */
export function admit(call: ParsedCall, permissions: Permissions): Admitted {
  const { tool, memory, lifetime, parsed } = call;
  const rules = rulesOf(lifetime);
  const size = sizeInChars(parsed.arguments);
  const leave = rules.holdsPlace ? memory.inFlight.enter(size) : holdsNothing;
  try {
    if (rules.paysRate) memory.rate.take();
    assertPermitted(tool, permissions);
    if (!wasLetIn(lifetime)) assertPrerequisites(tool, memory.succeeded);
    return { leave, isLong: size > LONG_CHARS };
  } catch (error) {
    leave();
    throw error;
  }
}
