import { type ErrorCode, isToolError, matchesName, ToolError } from '@nexus/plugin-sdk';
import { reachesOut } from '../labels/label.ts';
import type { Permissions } from '../policy/permissions.ts';
import type { Deadlines } from '../timeouts/deadline.ts';
import type { ParsedCall } from './call.ts';
import { isWaitedFor } from './lifetime.ts';
import { withinTime } from './within-time.ts';

/**
 * Whether a person has to say yes to this call: made from inside a tool, a run or a conversation that has untrusted
 * text and private data together, it may carry the one out as the other says. A client’s own call is the client’s to
 * judge, by the labels of what it was answered.
 */
export function needsYes({ tool, taint, isOwn }: ParsedCall, { reachOut = [] }: Permissions): boolean {
  if (isOwn || !reachesOut(tool)) return false;
  const { untrusted, private: secret } = taint.known;
  if (untrusted === undefined || secret === undefined) return false;
  const name = tool.origin ?? tool.name;
  return !reachOut.some((pattern) => matchesName(pattern, name));
}

/**
 * Asks the client’s user, with what exactly would leave.
 * @throws {ToolError} NEXUS_YES_NEEDED where nobody can be asked, or no yes is said
 */
export async function assertMayReachOut(call: ParsedCall, deadlines: Deadlines): Promise<void> {
  const { tool, ask, lifetime, parsed } = call;
  if (!ask || !isWaitedFor(lifetime)) throw refusal(call, 'nobody can be asked from here');
  const message = `${whyOf(call)} Is it to be called with exactly this? ${plain(JSON.stringify(parsed.arguments))}`;
  try {
    const schema = { type: 'object', properties: {} };
    const { action } = await withinTime(call, deadlines, (deadline) =>
      ask.elicit({ message, requestedSchema: schema }, deadline.end.signal),
    );
    if (action === 'accept') return;
  } catch (error) {
    if (!isToolError(error)) throw error;
    throw refusal(call, error.message);
  }
  throw refusal(call, `the user did not say yes to ${tool.name}`);
}

function whyOf({ tool, taint }: ParsedCall): string {
  const { untrusted, private: secret } = taint.known;
  return `${tool.name} reaches out of the machine, after ${untrusted} brought text that anybody may have written and ${secret} brought private data.`;
}

const CODE: ErrorCode = 'NEXUS_YES_NEEDED';

function refusal(call: ParsedCall, why: string): ToolError {
  const { untrusted, private: secret } = call.taint.known;
  const text = `${whyOf(call)} That needs a person’s yes, and ${why}. Go on without it, or have permissions.reachOut in the config name it.`;
  return new ToolError(CODE, text, { detail: { untrusted, private: secret } });
}

/** What could hide or reorder what is shown stands there as an escape. */
function plain(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu,
    (each) => `\\u{${each.codePointAt(0)?.toString(16)}}`,
  );
}
