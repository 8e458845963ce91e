import { isToolError } from '@nexus/plugin-sdk';
import type { JsonRpcMessage } from '../channel.ts';
import { JSON_RPC, ProtocolError } from '../errors/protocol-error.ts';

/** What the other side is told of an error: a fault of this side says no more than that it is one. */
export function toRpcError(error: unknown): NonNullable<JsonRpcMessage['error']> {
  if (error instanceof ProtocolError) {
    const { code, message, data } = error;
    return { code, message, ...(data === undefined ? {} : { data }) };
  }
  if (isToolError(error)) {
    return { code: JSON_RPC.internalError, message: error.message, data: { code: error.code } };
  }
  return { code: JSON_RPC.internalError, message: 'Internal error' };
}
