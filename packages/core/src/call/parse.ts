import { doubledKey } from '@nexus/primitives';
import { mayDestroy } from '../annotations/hints.ts';
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
 * As a model wrote it, which reads no error of the protocol: null is as none, but in a call that may destroy, and what
 * is no object is refused as any wrong argument is.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS
 */
function writtenCall(params: Call['params'], shape: CallShape, tool: Call['tool']): NormalizedCall {
  const { arguments: given, ...rest } = params;
  const isLeftOut = given === null && !mayDestroy(tool.hints);
  try {
    return normalizeCall(isLeftOut ? rest : params, shape);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    if (given === undefined || isLeftOut || isRecord(given))
      throw invalidArguments(tool.listing, {}, [{ path: '', message: error.message }]);
    if (typeof given === 'string' && doubledKey(given) !== undefined) {
      const message = 'must be an object; this text has two values for one name';
      throw invalidArguments(tool.listing, {}, [{ path: '', message }]);
    }
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
