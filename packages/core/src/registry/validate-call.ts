import { mayDestroy } from '../annotations/hints.ts';
import type { NormalizedCall } from '../normalization/normalize.ts';
import { type Repair, repairArguments } from '../normalization/repair.ts';
import { invalidArguments, UNKNOWN_ARGUMENT } from './invalid-arguments.ts';
import { meantArguments } from './meant-arguments.ts';
import type { RegisteredTool } from './registered-tool.ts';

/** What was done to a call so that it means what its caller meant; stated in `_meta["nexus/normalized"]`. */
export interface Recovery {
  /** Where the arguments were, if not in `params.arguments`. */
  readonly source?: 'inline' | 'args';
  /** Arguments whose text was read as JSON; `arguments`, where all of them were one text. */
  readonly repaired?: readonly string[];
  /** Arguments of which one text was taken as a list of one. */
  readonly listed?: readonly string[];
  /** Optional arguments that were null, and were left out. */
  readonly nulls?: readonly string[];
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
 * Validates normalised arguments; only if that fails, repairs what plainly means what fits, and tries once more.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS
 */
export function validateCall(tool: RegisteredTool, call: NormalizedCall): ValidCall {
  const { arguments: sent, ignored = [] } = call;
  const first = tool.validate(sent);
  if (first.ok) {
    assertNothingLost(tool, call);
    return { value: first.value, arguments: sent, recovery: recoveryOf(call) };
  }
  const repair = repairArguments(sent, tool);
  let issues = first.issues;
  if (repair) {
    const second = tool.validate(repair.arguments);
    if (second.ok) {
      assertNothingLost(tool, call);
      return { value: second.value, arguments: repair.arguments, recovery: recoveryOf(call, repair) };
    }
    issues = second.issues;
  }
  // In a call that fails, a field left out may be the misspelt name of what is missing.
  const foreign = ignored.map((path) => ({ path, message: UNKNOWN_ARGUMENT }));
  const received = { ...sent, ...Object.fromEntries(ignored.map((key) => [key, undefined])) };
  const example = meantArguments(tool, repair?.arguments ?? sent);
  throw invalidArguments(tool.listing, received, [...issues, ...foreign], { aliases: tool.aliases, example });
}

/**
 * A call that may destroy is made with all that was written, or not at all: what is left out may be its filter.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS
 */
export function assertNothingLost(tool: RegisteredTool, call: NormalizedCall): void {
  if (!mayDestroy(tool.hints)) return;
  const { arguments: sent, ignored = [], untold = [] } = call;
  const lost = [...ignored, ...untold];
  if (lost.length === 0) return;
  const received = { ...Object.fromEntries(lost.map((key) => [key, undefined])), ...sent };
  const issues = lost.map((path) => ({ path, message: LEFT_OUT }));
  // An example in its own values would be the call with less.
  throw invalidArguments(tool.listing, received, issues);
}

const LEFT_OUT =
  'stands beside the arguments and would be left out, and this tool may destroy, so it was not called: put it into the arguments, or leave it out yourself';

function recoveryOf(call: NormalizedCall, repair?: Repair): Recovery | undefined {
  const { source, ignored = [] } = call;
  const repaired = [...(call.isFromText ? ['arguments'] : []), ...(repair?.repaired ?? [])];
  const { listed = [], nulls = [] } = repair ?? {};
  const recovery = {
    ...(source === 'arguments' ? {} : { source }),
    ...(ignored.length === 0 ? {} : { ignored }),
    ...(repaired.length === 0 ? {} : { repaired }),
    ...(listed.length === 0 ? {} : { listed }),
    ...(nulls.length === 0 ? {} : { nulls }),
  };
  return Object.keys(recovery).length === 0 ? undefined : recovery;
}
