import type { NormalizedCall } from '../normalization/normalize.ts';
import { repairStringified } from '../normalization/repair.ts';
import { invalidArguments } from './invalid-arguments.ts';
import type { RegisteredTool } from './registered-tool.ts';

/** What was done to a call so that it means what its caller meant; stated in `_meta["nexus/normalized"]`. */
export interface Recovery {
  /** Where the arguments were, if not in `params.arguments`. */
  readonly source?: 'inline' | 'args';
  /** Arguments whose text was read as JSON. */
  readonly repaired?: readonly string[];
  /** Inline fields that the tool does not know, left out. */
  readonly ignored?: readonly string[];
}

export interface ValidCall {
  readonly value: unknown;
  /** Undefined when the call was canonical. */
  readonly recovery: Recovery | undefined;
}

/**
 * Validates normalised arguments; only if that fails, repairs stringified values and tries once more.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS
 */
export function validateCall(tool: RegisteredTool, call: NormalizedCall): ValidCall {
  const { known, ignored } = call.source === 'inline' ? dropForeign(tool, call) : asSent(call);
  const found = {
    ...(call.source === 'arguments' ? {} : { source: call.source }),
    ...(ignored.length === 0 ? {} : { ignored }),
  };
  const first = tool.validate(known);
  if (first.ok) return { value: first.value, recovery: Object.keys(found).length > 0 ? found : undefined };
  const repair = repairStringified(known, tool.listing.inputSchema, tool.fits);
  if (!repair) throw invalidArguments(tool.listing, known, first.issues);
  const second = tool.validate(repair.arguments);
  if (!second.ok) throw invalidArguments(tool.listing, known, second.issues);
  return { value: second.value, recovery: { ...found, repaired: repair.keys } };
}

function asSent(call: NormalizedCall) {
  return { known: call.arguments, ignored: [] as string[] };
}

/** Beside inline arguments stand fields of the wrapper that put them there; those are not the tool's. */
function dropForeign(tool: RegisteredTool, call: NormalizedCall) {
  const properties = tool.listing.inputSchema.properties ?? {};
  const entries = Object.entries(call.arguments);
  const isOpen = tool.listing.inputSchema.additionalProperties !== false;
  const known = entries.filter(([key]) => isOpen || Object.hasOwn(properties, key));
  if (known.length === 0) return asSent(call);
  const ignored = entries.filter((entry) => !known.includes(entry)).map(([key]) => key);
  return { known: Object.fromEntries(known), ignored };
}
