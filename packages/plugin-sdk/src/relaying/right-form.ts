import { nearestArgument } from '../nearest-argument.ts';
import type { ToolCaller } from '../tool-caller.ts';
import { isObject } from './declared.ts';

/** A longer one helps nobody, and a cut one can't be copied. */
const MAX_CHARS = 2_000;

/** What of a call stands where, and which arguments its tool names. */
interface Sent {
  readonly declared: readonly string[];
  readonly given: unknown;
  readonly beside: Readonly<Record<string, unknown>>;
}

/**
 * The call that was meant, in its caller's own values: what stands beside `arguments` is put into it, under the name
 * that it comes near to.
 * @returns undefined where that would not pass either
 */
export async function rightForm(
  tool: string,
  { declared, given, beside }: Sent,
  tools: Pick<ToolCaller, 'check'>,
): Promise<string | undefined> {
  const meant = new Map<string, unknown>(Object.entries(isObject(given) ? given : {}));
  for (const [key, value] of Object.entries(beside)) {
    const near = declared.includes(key) ? key : nearestArgument(key, declared);
    // One that wraps others, such as `input` or `params`.
    const wrapped = near === undefined && isObject(value) ? Object.entries(value) : [];
    for (const [name, each] of near === undefined ? wrapped : [[near, value] as const])
      if (!meant.has(name)) meant.set(name, each);
  }
  const args = Object.fromEntries(meant);
  if (meant.size === 0 || (await tools.check(tool, args)).length > 0) return undefined;
  const form = JSON.stringify({ tool, arguments: args });
  return form.length > MAX_CHARS ? undefined : `This would pass: ${form}`;
}
