import type { Channel, JsonRpcMessage, Trust } from '@nexus/core';

type Handlers = Parameters<Channel['start']>[0];

/**
 * Two channels in one process, each the other's peer; messages pass as they are, uncopied.
 * @param trust what the way in that they stand for would state
 */
export function memoryChannelPair(trust: Trust = 'user'): readonly [Channel, Channel] {
  const first = memoryEnd(trust);
  const second = memoryEnd(trust);
  first.peer = second;
  second.peer = first;
  return [first.channel, second.channel];
}

interface MemoryEnd {
  peer: MemoryEnd | undefined;
  readonly channel: Channel;
  deliver(message: JsonRpcMessage): void;
  end(): void;
}

function memoryEnd(trust: Trust): MemoryEnd {
  let handlers: Handlers | undefined;
  let isOpen = true;
  const early: JsonRpcMessage[] = [];
  const end: MemoryEnd = {
    peer: undefined,
    deliver(message) {
      if (!isOpen) return;
      if (handlers) handlers.message(message);
      else early.push(message);
    },
    end() {
      if (!isOpen) return;
      isOpen = false;
      handlers?.closed();
    },
    channel: {
      kind: 'memory',
      trust,
      start(given) {
        handlers = given;
        for (const message of early.splice(0)) given.message(message);
        if (!isOpen) given.closed();
      },
      async send(message) {
        if (!isOpen) return;
        // A turn of its own, as on a wire: the sender is never called back while it sends.
        queueMicrotask(() => end.peer?.deliver(message));
      },
      async close() {
        end.end();
        end.peer?.end();
      },
    },
  };
  return end;
}
