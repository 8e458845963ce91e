import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Channel, JsonRpcMessage } from '@nexus/core';
import type { DirectRequests } from './direct-requests.ts';
import { inward, outward, outwardId, paramsFault } from './inward.ts';

/** A channel in the form the SDK's server takes. */
export interface ChannelTransport extends Transport {
  /** Requests of the client that have no answer yet. */
  inFlight(): number;
  /** Agreed on at initialize; undefined before. */
  protocolVersion(): string | undefined;
}

/**
 * Joins a channel to the SDK's server. When the client's input ends, requests in flight are still
 * answered, for `drainMs` at most, before the server hears of the end and aborts what is left: a script
 * that pipes requests in and closes gets its answers.
 */
export function channelTransport(
  channel: Channel,
  direct: DirectRequests,
  drainMs: number,
): ChannelTransport {
  const pending = new Set<string | number>();
  let initializeId: string | number | undefined;
  let protocolVersion: string | undefined;
  let idle = () => {};
  const settle = (id: string | number) => {
    pending.delete(id);
    if (pending.size === 0) idle();
  };
  const drained = () =>
    new Promise<void>((resolve) => {
      if (pending.size === 0) return resolve();
      const timer = setTimeout(resolve, drainMs);
      idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const transport: ChannelTransport = {
    inFlight: () => pending.size,
    protocolVersion: () => protocolVersion,
    async start() {
      channel.start({
        message(received) {
          const { id } = received;
          if (id !== undefined && direct.take(received, () => settle(id))) {
            pending.add(id);
            return;
          }
          const message = inward(received);
          if (message.method === 'initialize') initializeId = message.id;
          if (message.method !== undefined && message.id !== undefined) {
            const fault = paramsFault(message);
            if (fault) {
              const error = { code: fault.code, message: fault.message };
              void channel.send(outward({ jsonrpc: '2.0', id: message.id, error }));
              return;
            }
            pending.add(message.id);
          }
          const cancelled = cancelledId(message);
          if (cancelled !== undefined) {
            direct.cancel(received.params?.requestId);
            settle(cancelled);
          }
          transport.onmessage?.(message as JSONRPCMessage);
        },
        closed: () =>
          void drained().then(() => {
            direct.end();
            transport.onclose?.();
            // A client that closes only its side waits for ours.
            return channel.close();
          }),
      });
    },
    async send(sent, options) {
      const message = sent as JsonRpcMessage;
      if (message.id === initializeId && typeof message.result?.protocolVersion === 'string') {
        protocolVersion = message.result.protocolVersion;
      }
      await channel.send(outward(message), { relatedRequestId: outwardId(options?.relatedRequestId) });
      if (message.method === undefined && message.id !== undefined) settle(message.id);
    },
    close: () => channel.close(),
  };
  return transport;
}

function cancelledId(message: JsonRpcMessage): string | number | undefined {
  if (message.method !== 'notifications/cancelled') return undefined;
  return message.params?.requestId as string | number | undefined;
}
