import type { Downstreams, Registry } from '@nexus/core';
import { passNotifications } from './behind/pass-notifications.ts';

interface Announcing {
  readonly sessionId: string;
  readonly registry: Registry;
  onResourceUpdated(listener: (uri: string) => void): () => void;
  readonly downstreams: Downstreams;
  /** URIs that the client subscribed to. */
  readonly subscribed: ReadonlySet<string>;
  /** Whether the client wants messages of this level. */
  wantsLevel(level: unknown): boolean;
  send(method: string, params?: Readonly<Record<string, unknown>>): void;
}

/** Tells the client what changes unasked, here and behind; answers how to stop. */
export function announceChanges(announcing: Announcing): () => void {
  const { sessionId, registry, subscribed, send } = announcing;
  const stops = [
    registry.onChange((changed) => {
      if (changed === undefined || changed === sessionId) send('notifications/tools/list_changed');
    }),
    announcing.onResourceUpdated((uri) => {
      if (subscribed.has(uri)) send('notifications/resources/updated', { uri });
    }),
    passNotifications(announcing.downstreams, announcing),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
