import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonRpcMessage } from '@nexus/core';
import { JSON_RPC } from '@nexus/core/errors';
import type { Members } from '@nexus/core/json-rpc';
import { isRecord, typeName } from '@nexus/core/json-type';
import { withRounded } from '@nexus/core/rounded';
import { BEYOND_BOUNDS, boundsFault, doubledKey, parseInTurns, roundedNumbers } from '@nexus/primitives';
import { isId, readEnvelope } from './read-envelope.ts';

const CALL = 'tools/call';
const PARAMS = 'params.';

/** Deserves an error answer; `id` is null where none could be read. What broke off in a response has the id of its request. */
interface Refused {
  readonly kind: 'refused';
  readonly id: string | number | null;
  readonly error: Refusal;
  readonly answers?: string | number;
}

/** What one line of input turned out to be. */
export type Parsed =
  | { readonly kind: 'message'; readonly message: JsonRpcMessage }
  | Refused
  /** Faulty, but not to be answered: a notification, or a response, with the id of its request. */
  | { readonly kind: 'dropped'; readonly reason: string; readonly answers?: string | number | undefined };

export interface Refusal {
  readonly code: number;
  readonly message: string;
}

/**
 * Checks one line to be a JSON-RPC 2.0 message as MCP narrows it: ids are strings or integers, params and
 * results are objects, and batches do not exist (removed in MCP 2025-06-18). By hand, since every message
 * passes here. Members that MCP does not know are left as they are.
 */
export function parseMessage(text: string): Parsed {
  return refuseUnbounded(text) ?? parseBounded(text);
}

/** The same of a long one, whose bounds were looked at: others have their turn between the pieces that it is made of. */
export async function parseBoundedInTurns(text: string): Promise<Parsed> {
  let value: unknown;
  try {
    value = await parseInTurns(text);
  } catch (error) {
    return notJson(text, error);
  }
  await nextTurn();
  return asMessage(value, text);
}

/** Refuses a message that is more than is read; undefined for one that is not. */
export function refuseUnbounded(text: string): Parsed | undefined {
  const fault = boundsFault(text);
  return fault === undefined ? undefined : refuseUnread(text, text, `the message ${fault}; ${BEYOND_BOUNDS}`);
}

/** What a message is whose bounds were looked at. */
function parseBounded(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return notJson(text, error);
  }
  return asMessage(value, text);
}

/** What breaks off in the middle of a response was one: whoever waits for it hears so. */
function notJson(text: string, error: unknown): Parsed {
  const reason = `Parse error: ${error instanceof Error ? error.message : error}`;
  const { isResponse, id } = readEnvelope(text, text);
  const parsed = refused(null, reason, JSON_RPC.parseError);
  return isResponse && id !== null ? { ...parsed, answers: id } : parsed;
}

function asMessage(value: unknown, text: string): Parsed {
  if (Array.isArray(value)) {
    return refused(null, 'batches were removed from MCP in 2025-06-18: send one message a line');
  }
  if (!isRecord(value)) return refused(null, `a message must be an object, received ${typeName(value)}`);
  if ('method' in value) return refuseInexact(value, text) ?? parseRequest(value);
  const rounded = roundedNumbers(text);
  return 'result' in value || 'error' in value
    ? parseResponse(rounded.length === 0 ? value : withRounded(value, rounded))
    : refused(readableId(value), 'a message needs a method, a result or an error');
}

/** Refuses a message that was not read whole, by what its beginning and its end show. */
export function refuseUnread(head: string, tail: string, reason: string): Parsed {
  const { isResponse, id } = readEnvelope(head, tail);
  // An error under the id of a response would reach a request of the client's own.
  return isResponse ? { kind: 'dropped', reason, answers: id ?? undefined } : refused(id, reason);
}

/**
 * A tool would be called with other arguments than were written: other rows, other people. Or another tool would be,
 * or none, by the last of two values of one key.
 */
function refuseInexact(value: Members, text: string): Parsed | undefined {
  const isCall = value.method === CALL;
  if (!isCall && !text.includes(CALL)) return undefined;
  const doubled = doubledKey(text, isCall ? undefined : (path) => path === 'method');
  if (doubled !== undefined) {
    const { key, code } = doubled.startsWith(PARAMS)
      ? { key: doubled.slice(PARAMS.length), code: JSON_RPC.invalidParams }
      : { key: doubled, code: JSON_RPC.invalidRequest };
    const reason = `${JSON.stringify(key)} stands twice, and only one of its values would be taken: send it once`;
    return refused(readableId(value), reason, code);
  }
  if (!isCall) return undefined;
  const [path] = roundedNumbers(text, (each) => isOfArguments(each, value.params));
  if (path === undefined) return undefined;
  const reason = `the number at ${path.slice(PARAMS.length)} is more than JSON numbers hold exactly here, and would be rounded: send it as a string, or with fewer digits`;
  return refused(readableId(value), reason, JSON_RPC.invalidParams);
}

/** Fields beside `arguments` may be arguments only where those are empty. */
function isOfArguments(path: string, params: unknown): boolean {
  const given = isRecord(params) && isRecord(params.arguments) && Object.keys(params.arguments).length > 0;
  return given
    ? path === 'params.arguments' || path.startsWith('params.arguments.')
    : path.startsWith('params.') && !path.startsWith('params._meta.');
}

function parseRequest(value: Members): Parsed {
  const id = readableId(value);
  if (value.jsonrpc !== '2.0') return refused(id, 'jsonrpc must be "2.0"');
  if (typeof value.method !== 'string') {
    return refused(id, `method must be a string, received ${typeName(value.method)}`);
  }
  const isNotification = !('id' in value);
  if (!isNotification && !isId(value.id)) {
    return refused(id, 'id must be a string or an integer that JSON numbers hold exactly');
  }
  if ('result' in value || 'error' in value) {
    const reason = 'a message with a method has no result and no error';
    return isNotification ? { kind: 'dropped', reason } : refused(id, reason);
  }
  if ('params' in value && !isRecord(value.params)) {
    const reason = `params must be an object, received ${typeName(value.params)}`;
    return isNotification ? { kind: 'dropped', reason } : refused(id, reason, JSON_RPC.invalidParams);
  }
  return message(value);
}

function parseResponse(value: Members): Parsed {
  const answers = isId(value.id) ? value.id : undefined;
  const dropped = (reason: string): Parsed => ({ kind: 'dropped', reason, answers });
  if (value.jsonrpc !== '2.0') return dropped('jsonrpc must be "2.0"');
  if ('result' in value && 'error' in value) return dropped('a response has a result or an error, not both');
  if ('result' in value) {
    if (!isId(value.id)) return dropped('a response must carry the id of its request');
    if (!isRecord(value.result))
      return dropped(`result must be an object, received ${typeName(value.result)}`);
    return message(value);
  }
  const { error } = value;
  if (!isRecord(error) || !Number.isInteger(error.code) || typeof error.message !== 'string') {
    return dropped('error must be an object with an integer code and a message');
  }
  if (isId(value.id)) return message(value);
  if (value.id !== undefined && value.id !== null) return dropped('id must be a string or an integer');
  // The peer could not read which request it answers (JSON-RPC 2.0, section 5).
  const { id: _, ...rest } = value;
  return message(rest);
}

function message(value: Members): Parsed {
  // Each member's type was checked by the caller.
  return { kind: 'message', message: value as unknown as JsonRpcMessage };
}

function refused(
  id: string | number | null,
  reason: string,
  code: number = JSON_RPC.invalidRequest,
): Refused {
  const message = code === JSON_RPC.invalidRequest ? `Invalid request: ${reason}` : reason;
  return { kind: 'refused', id, error: { code, message } };
}

/** An id that can be echoed so that its sender knows it again: a fraction can, a rounded integer can't. */
function readableId({ id }: Members): string | number | null {
  if (typeof id === 'string') return id;
  if (typeof id !== 'number' || !Number.isFinite(id)) return null;
  return Number.isInteger(id) && !Number.isSafeInteger(id) ? null : id;
}
