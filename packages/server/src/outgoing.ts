import type { Channel, JsonRpcMessage } from '@nexus/core';
import { TOLD_TO_BRIDGE } from '@nexus/core/told-to-bridge';
import { redactJson } from '@nexus/untrusted/secrets';

/** The way out of a session: errors and log messages leave with secrets masked, answers as they are. */
export function outgoing(channel: Channel): Channel {
  return {
    kind: channel.kind,
    trust: channel.trust,
    start: (handlers) => channel.start(handlers),
    send: (message, options) => channel.send(redacted(message), options),
    close: () => channel.close(),
  };
}

function redacted(message: JsonRpcMessage): JsonRpcMessage {
  if (message.error) return { ...message, error: redactJson(message.error) };
  const isOfLog = message.method === 'notifications/message' || message.method === TOLD_TO_BRIDGE;
  if (!isOfLog || !message.params) return message;
  return { ...message, params: redactJson(message.params) };
}
