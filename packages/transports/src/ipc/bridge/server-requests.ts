import type { JsonRpcMessage } from '@nexus/core';

type Id = string | number;

/**
 * Requests of the owners to the host (sampling, elicitation, roots). Each owner counts its ids from the
 * start, so a late answer meant for a dead one could pass for an answer to its successor.
 */
export interface ServerRequests {
  /** The request as the host may see it: under another id only when its own would be mistaken. */
  toHost(request: JsonRpcMessage, id: Id): JsonRpcMessage;
  /** The id under which the host knows the owner's request. */
  hostId(id: unknown): unknown;
  /** The id under which the owner awaits this answer; undefined when it is for an owner that is gone. */
  ownerId(answeredId: Id): Id | undefined;
  /** @returns the ids that the host still works on, for nobody */
  ownerGone(): readonly Id[];
}

export function createServerRequests(): ServerRequests {
  const open = new Map<Id, Id>();
  const stale = new Set<Id>();
  let renamed = 0;
  return {
    toHost(request, id) {
      const hostId = stale.has(id) ? `nexus-renamed:${++renamed}` : id;
      open.set(hostId, id);
      return hostId === id ? request : { ...request, id: hostId };
    },
    hostId(id) {
      for (const [hostId, ownerId] of open) if (ownerId === id) return hostId;
      return id;
    },
    ownerId(answeredId) {
      if (stale.delete(answeredId)) return undefined;
      const ownerId = open.get(answeredId) ?? answeredId;
      open.delete(answeredId);
      return ownerId;
    },
    ownerGone() {
      const gone = [...open.keys()];
      for (const id of gone) stale.add(id);
      open.clear();
      return gone;
    },
  };
}
