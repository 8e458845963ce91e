import type { Downstreams } from '@nexus/core';
import { noDownstreams } from '../src/behind/no-downstreams.ts';

/** Servers behind a session that offer only what a test says, and speak when it says so. */
export function fakeDownstreams(offered: Partial<Downstreams> = {}) {
  const listeners = new Map<string, Parameters<Downstreams['onNotification']>[1]>();
  const downstreams: Downstreams = {
    ...noDownstreams,
    onNotification(session, listener) {
      listeners.set(session.id, listener);
      return () => void listeners.delete(session.id);
    },
    ...offered,
  };
  return { downstreams, listeners };
}
