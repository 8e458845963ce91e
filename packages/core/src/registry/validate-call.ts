import type { NormalizedCall } from '../normalization/normalize.ts';
import { repairStringified } from '../normalization/repair.ts';
import { invalidArguments, UNKNOWN_ARGUMENT } from './invalid-arguments.ts';
import type { RegisteredTool } from './registered-tool.ts';

/** What was done to a call so that it means what its caller meant; stated in `_meta["nexus/normalized"]`. */
export interface Recovery {
  /** Where the arguments were, if not in `params.arguments`. */
  readonly source?: 'inline' | 'args';
  /** Arguments whose text was read as JSON. */
  readonly repaired?: readonly string[];
  /** What stood beside the arguments and was left out. */
  readonly ignored?: readonly string[];
}

export interface ValidCall {
  /** What the schema made of the arguments. */
  readonly value: unknown;
  /** The arguments as they passed. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Undefined when the call was canonical. */
  readonly recovery: Recovery | undefined;
}

/**
 * Validates normalised arguments; only if that fails, repairs stringified values and tries once more.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS
 */
export function validateCall(tool: RegisteredTool, call: NormalizedCall): ValidCall {
  const { arguments: sent, ignored = [] } = call;
  const first = tool.validate(sent);
  if (first.ok) return { value: first.value, arguments: sent, recovery: recoveryOf(call) };
  const repair = repairStringified(sent, tool.listing.inputSchema, tool.fits);
  let issues = first.issues;
  if (repair) {
    const second = tool.validate(repair.arguments);
    if (second.ok) {
      const recovery = { ...recoveryOf(call), repaired: repair.keys };
      return { value: second.value, arguments: repair.arguments, recovery };
    }
    issues = second.issues;
  }
  // In a call that fails, a field left out may be the misspelt name of what is missing.
  const foreign = ignored.map((path) => ({ path, message: UNKNOWN_ARGUMENT }));
  const received = { ...sent, ...Object.fromEntries(ignored.map((key) => [key, undefined])) };
  throw invalidArguments(tool.listing, received, [...issues, ...foreign]);
}

function recoveryOf({ source, ignored = [] }: NormalizedCall): Recovery | undefined {
  if (source === 'arguments' && ignored.length === 0) return undefined;
  return { ...(source === 'arguments' ? {} : { source }), ...(ignored.length === 0 ? {} : { ignored }) };
}
