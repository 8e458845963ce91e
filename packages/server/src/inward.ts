import { ClientRequestSchema, RequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { invalidParams, isRecord, type JsonRpcMessage, type ProtocolError } from '@nexus/core';
import type { z } from 'zod';

/**
 * The SDK ignores a cancel of request id 0, the first id its own client uses: it tests the id for truth.
 * So 0 is known under this name inside.
 */
const ZERO = 'nexus:0';

const schemas: ReadonlyMap<string, z.ZodType> = new Map(
  ClientRequestSchema.options.map((schema) => [schema.shape.method.value, schema]),
);

/** A client's message in the form that the SDK's server takes. */
export function inward(message: JsonRpcMessage): JsonRpcMessage {
  const { id, method, params, result, error } = message;
  // Other members are left out: the SDK drops a message that has one, and a request would get no answer.
  if (method === undefined) return withoutUndefined({ id, result, error });
  return withoutUndefined({
    id: id === 0 ? ZERO : id,
    method,
    params: params && withoutTask(method, renamedCancel(method, params)),
  });
}

export function outward(message: JsonRpcMessage): JsonRpcMessage {
  return message.id === ZERO ? { ...message, id: 0 } : message;
}

/** The id of a client's request as the client knows it. */
export function outwardId(id: string | number | undefined): string | number | undefined {
  return id === ZERO ? 0 : id;
}

/**
 * What is wrong with a request's params. The SDK would answer some such requests with -32603 and others,
 * where `_meta` is wrong, not at all.
 */
export function paramsFault(message: JsonRpcMessage): ProtocolError | undefined {
  const { method = '' } = message;
  const schema = schemas.get(method) ?? RequestSchema;
  const parsed = schema.safeParse(message);
  if (parsed.success) return undefined;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  return invalidParams(`Invalid params for ${method}: ${faults.join('; ')}`);
}

function withoutUndefined(members: Readonly<Record<string, unknown>>): JsonRpcMessage {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  // The members are those of a message that was checked to be one.
  return { jsonrpc: '2.0', ...Object.fromEntries(present) } as JsonRpcMessage;
}

function renamedCancel(method: string, params: Readonly<Record<string, unknown>>) {
  const isZero = method === 'notifications/cancelled' && params.requestId === 0;
  return isZero ? { ...params, requestId: ZERO } : params;
}

/**
 * Where no tasks are offered, a request for one is processed as any other (MCP 2025-11-25, Tasks,
 * Capabilities); the SDK would refuse it.
 */
function withoutTask(method: string, params: Readonly<Record<string, unknown>>) {
  const { task, ...rest } = params;
  return method !== 'tools/call' && isRecord(task) ? rest : params;
}
