import type { SessionScope } from '@nexus/plugin-sdk';

/** The sessions of clients that are connected now, for what works on behalf of one by its id on record. */
export interface ClientScopes {
  /** Until it ends. */
  add(session: SessionScope): void;
  find(id: string): SessionScope | undefined;
}

export function createClientScopes(): ClientScopes {
  const byId = new Map<string, SessionScope>();
  return {
    add(session) {
      byId.set(session.id, session);
      session.onEnd(() => {
        // One that came back meanwhile has its place.
        if (byId.get(session.id) === session) byId.delete(session.id);
      });
    },
    find: (id) => byId.get(id),
  };
}
