import type { Downstreams, Registry } from '@nexus/core';
import type { SessionScope } from '@nexus/plugin-sdk';
import { passNotifications } from './behind/pass-notifications.ts';

interface Announcing {
  readonly scope: SessionScope;
  readonly registry: Registry;
  onResourceUpdated(listener: (uri: string) => void): () => void;
  readonly downstreams: Downstreams;
  /** URIs that the client subscribed to. */
  readonly subscribed: ReadonlySet<string>;
  /** Whether the client wants messages of this level. */
  wantsLevel(level: unknown): boolean;
  send(method: string, params?: Readonly<Record<string, unknown>>): void;
}

/** Tells the client what changes unasked, here and behind, until its session ends. */
export function announceChanges(announcing: Announcing): void {
  const { scope, registry, subscribed, send } = announcing;
  const stops = [
    registry.onChange((changed) => {
      if (changed === undefined || changed === scope) send('notifications/tools/list_changed');
    }),
    announcing.onResourceUpdated((uri) => {
      if (subscribed.has(uri)) send('notifications/resources/updated', { uri });
    }),
    passNotifications(announcing.downstreams, announcing),
  ];
  for (const stop of stops) scope.onEnd(stop);
}
