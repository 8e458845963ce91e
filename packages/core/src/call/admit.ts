import { assertPermitted, type Permissions } from '../policy/permissions.ts';
import { assertPrerequisites } from '../policy/prerequisites.ts';
import type { ParsedCall } from './call.ts';
import { rulesOf, wasLetIn } from './lifetime.ts';

const holdsNothing = () => {};

/**
 * Lets a call in: as many at a time and as often as its session may, where it is permitted, and after what the
 * tool wants to have succeeded.
 * @returns what gives its place back, to be called once when the call is over
 * @throws {ToolError} NEXUS_RATE_LIMITED, NEXUS_DENIED, NEXUS_PREREQUISITE
 */
export function admit(call: ParsedCall, permissions: Permissions): () => void {
  const { tool, memory, lifetime, parsed } = call;
  const rules = rulesOf(lifetime);
  const leave = rules.holdsPlace ? memory.inFlight.enter(parsed.arguments) : holdsNothing;
  try {
    if (rules.paysRate) memory.rate.take();
    assertPermitted(tool, permissions);
    if (!wasLetIn(lifetime)) assertPrerequisites(tool, memory.succeeded);
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}
