import { ProtocolError } from '../errors/protocol-error.ts';
import { splitJobArguments } from '../jobs/job-arguments.ts';
import { isRecord, typeName } from '../json-type.ts';
import { type CallShape, type NormalizedCall, normalizeCall } from '../normalization/normalize.ts';
import { invalidArguments } from '../registry/invalid-arguments.ts';
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
  const valid = validateCall(
    tool,
    isWritten ? writtenCall(params, shape, tool) : normalizeCall(params, shape),
  );
  const { wish, own } = tool.isLong ? splitJobArguments(valid.value) : { wish: undefined, own: valid.value };
  call.parsed = { value: own, arguments: valid.arguments, wish, recovery: valid.recovery };
}

/**
 * As a model wrote it, which reads no error of the protocol: null is as none, and what is no object is refused as any
 * wrong argument is.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS
 */
function writtenCall(params: Call['params'], shape: CallShape, tool: Call['tool']): NormalizedCall {
  const { arguments: given, ...rest } = params;
  if (given === undefined || isRecord(given)) return normalizeCall(params, shape);
  if (given === null) return normalizeCall(rest, shape);
  try {
    return normalizeCall(params, shape);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const isBroken = typeof given === 'string' && /^\s*\{/.test(given) && !isJson(given);
    const message = isBroken
      ? 'must be an object; this text begins one, and is broken JSON: it breaks off, or a quote, comma or bracket of it is wrong'
      : `must be an object, received ${typeName(given)}`;
    throw invalidArguments(tool.listing, {}, [{ path: '', message }]);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
