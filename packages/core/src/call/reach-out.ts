import { type ErrorCode, isToolError, matchesName, ToolError } from '@nexus/plugin-sdk';
import { hasWords } from '../labels/has-words.ts';
import { reachesOut } from '../labels/label.ts';
import type { Permissions } from '../policy/permissions.ts';
import type { Deadlines } from '../timeouts/deadline.ts';
import type { Admitted } from './admit.ts';
import type { ParsedCall } from './call.ts';
import { isWaitedFor } from './lifetime.ts';
import { withinTime } from './within-time.ts';

/**
 * Whether a person has to say yes to this call: made from inside a tool, a run or a conversation that has untrusted
 * text and private data together, it may carry the one out as the other says. A client’s own call is the client’s to
 * judge, by the labels of what it was answered. Long arguments are more than is remembered as said.
 */
export function needsYes(
  call: ParsedCall,
  { reachOut = [] }: Permissions,
  { isLong }: Pick<Admitted, 'isLong'>,
): boolean {
  const { tool, taint, isOwn, parsed } = call;
  if (isOwn) return false;
  if (!isLong) taint.said(JSON.stringify(parsed.arguments));
  if (!reachesOut(tool)) return false;
  const { untrusted, private: secret } = taint.known;
  if (untrusted === undefined || secret === undefined) return false;
  const name = tool.origin ?? tool.name;
  return !reachOut.some((pattern) => matchesName(pattern, name)) && !saysNothingNew(call);
}

/**
 * Whether a tool of Nexus's own only reads, by arguments that stood in what was said before anything private was
 * known, or in its own schema: such a call can carry nothing private out but by which of them it is.
 */
function saysNothingNew({ tool, taint, parsed }: ParsedCall): boolean {
  if (!tool.hints.readOnlyHint || tool.origin !== undefined) return false;
  const schema = JSON.stringify(tool.listing.inputSchema);
  return taint.mayRepeat(valuesOf(parsed.arguments).filter((text) => !hasWords(schema, text)));
}

/** All that stands in a value, each as JSON without its quotes. */
function valuesOf(value: unknown): string[] {
  if (typeof value === 'string') return [JSON.stringify(value).slice(1, -1)];
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)];
  if (Array.isArray(value)) return value.flatMap(valuesOf);
  return Object.entries(value).flatMap(([name, each]) => [
    JSON.stringify(name).slice(1, -1),
    ...valuesOf(each),
  ]);
}

/**
 * Asks the client’s user, with what exactly would leave; for a run, whoever answers it.
 * @throws {ToolError} NEXUS_YES_NEEDED where nobody can be asked, no yes is said, or a run waits for one
 */
export async function assertMayReachOut(call: ParsedCall, deadlines: Deadlines): Promise<void> {
  const { tool, ask, lifetime, parsed, sayYes } = call;
  if (sayYes) {
    const message = `${whyOf(call)} May it be called with exactly this?`;
    const begins = tool.runKind === undefined ? undefined : { kind: tool.runKind, request: parsed.value };
    const said = await sayYes({ message, subject: { tool: tool.name, arguments: parsed.arguments } }, begins);
    if (said === true) return;
    // Told of is the call that is made once a person has answered.
    if (said === undefined) call.span = undefined;
    throw refusal(call, said === false ? `a person said no to ${tool.name}` : 'the run asks for it now');
  }
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
