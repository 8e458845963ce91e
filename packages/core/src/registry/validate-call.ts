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
  /** Inline fields that the tool does not know, left out. */
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
  const { known, ignored } = call.source === 'inline' ? dropForeign(tool, call.arguments) : asSent(call);
  const first = tool.validate(known);
  if (first.ok) return { value: first.value, arguments: known, recovery: recoveryOf(call, ignored) };
  const repair = repairStringified(known, tool.listing.inputSchema, tool.fits);
  let issues = first.issues;
  if (repair) {
    const second = tool.validate(repair.arguments);
    if (second.ok) {
      const recovery = { ...recoveryOf(call, ignored), repaired: repair.keys };
      return { value: second.value, arguments: repair.arguments, recovery };
    }
    issues = second.issues;
  }
  throw invalidArguments(tool.listing, call.arguments, [...issues, ...foreignIssues(ignored)]);
}

function recoveryOf({ source }: NormalizedCall, ignored: readonly string[]): Recovery | undefined {
  if (source === 'arguments' && ignored.length === 0) return undefined;
  return { ...(source === 'arguments' ? {} : { source }), ...(ignored.length === 0 ? {} : { ignored }) };
}

const NOTHING: readonly string[] = [];

function asSent(call: NormalizedCall) {
  return { known: call.arguments, ignored: NOTHING };
}

/**
 * Beside inline arguments stand fields of the wrapper that put them there; those are not the tool's.
 * Where nothing is the tool's, nothing is dropped: the fields are the caller's own, misspelt.
 */
function dropForeign(tool: RegisteredTool, inline: Readonly<Record<string, unknown>>) {
  const properties = tool.listing.inputSchema.properties ?? {};
  const isOpen = tool.listing.inputSchema.additionalProperties !== false;
  const isKnown = (key: string) => isOpen || Object.hasOwn(properties, key);
  const keys = Object.keys(inline);
  if (!keys.some(isKnown)) return { known: inline, ignored: [] };
  return {
    known: Object.fromEntries(Object.entries(inline).filter(([key]) => isKnown(key))),
    ignored: keys.filter((key) => !isKnown(key)),
  };
}

/** In a call that fails, a field left out may be the misspelt name of what is missing. */
function foreignIssues(ignored: readonly string[]) {
  return ignored.map((key) => ({ path: key, message: UNKNOWN_ARGUMENT }));
}
