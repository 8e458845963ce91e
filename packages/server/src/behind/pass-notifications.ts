import type { Downstreams } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import type { SessionScope } from '@nexus/plugin-sdk';

interface Listening {
  readonly scope: SessionScope;
  /** URIs that the client subscribed to. */
  readonly subscribed: ReadonlySet<string>;
  /** Whether the client wants messages of this level. */
  wantsLevel(level: unknown): boolean;
  send(method: string, params: Members): void;
}

/** Sends on what the servers behind this one have to say, as it comes; answers how to stop. */
export function passNotifications(downstreams: Downstreams, listening: Listening): () => void {
  const { scope, subscribed, wantsLevel, send } = listening;
  return downstreams.onNotification(scope, (method, params) => {
    if (method === 'notifications/resources/updated' && !covers(subscribed, params.uri)) return;
    if (method === 'notifications/message' && !wantsLevel(params.level)) return;
    send(method, params);
  });
}

/** What is updated may be a part of what was subscribed to (MCP 2025-11-25, Resources, Subscriptions). */
function covers(subscribed: ReadonlySet<string>, uri: unknown): boolean {
  if (typeof uri !== 'string') return false;
  if (subscribed.has(uri)) return true;
  return [...subscribed].some((whole) => uri.startsWith(whole.endsWith('/') ? whole : `${whole}/`));
}
