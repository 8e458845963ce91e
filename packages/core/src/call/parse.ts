import { splitJobArguments } from '../jobs/job-arguments.ts';
import { normalizeCall } from '../normalization/normalize.ts';
import { validateCall } from '../registry/validate-call.ts';
import type { Call, ParsedCall } from './call.ts';

/**
 * Finds a call's arguments and holds them to the tool's schema; the tool is loaded by then.
 * @throws {ProtocolError} -32602 for params that no arguments can be found in
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS
 */
export function parse(call: Call): asserts call is ParsedCall {
  if (call.parsed) return;
  const { tool, params, address, lifetime } = call;
  const isWritten = lifetime.kind === 'nested';
  const shape = { fits: tool.fits, listing: tool.listing, address, isWritten };
  const valid = validateCall(tool, normalizeCall(params, shape));
  const { wish, own } = tool.isLong ? splitJobArguments(valid.value) : { wish: undefined, own: valid.value };
  call.parsed = { value: own, arguments: valid.arguments, wish, recovery: valid.recovery };
}
