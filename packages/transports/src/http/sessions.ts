import type { Channel } from '@nexus/core';
import { type Access, userOf } from './auth/authenticate.ts';
import { createHttpSession, type HttpSession, type SessionLimits } from './session-channel.ts';

export interface SessionsOptions extends SessionLimits {
  readonly maxSessions: number;
  /** A session without request and without stream for this long is ended. */
  readonly idleMs: number;
  /** Runs an MCP session on the channel of a new client. */
  accept(channel: Channel): void;
}

/** All sessions over HTTP, each bound to whoever opened it. */
export interface Sessions {
  readonly size: number;
  /** Requests that wait for their answer. */
  inFlight(): number;
  openStreams(): number;
  /** @returns undefined where there are as many as may be */
  open(access: Access): HttpSession | undefined;
  /** The session of this id, if it was opened by the same and with the same rights; using it counts against its expiry. */
  get(id: string, access: Access): HttpSession | undefined;
  end(id: string): void;
  beat(): void;
  expireIdle(): void;
  endAll(): void;
}

interface Entry {
  readonly session: HttpSession;
  readonly access: Access;
  usedAtMs: number;
}

export function createSessions(options: SessionsOptions): Sessions {
  const entries = new Map<string, Entry>();

  function end(id: string): void {
    entries.get(id)?.session.end();
  }

  const sum = (count: (session: HttpSession) => number) =>
    [...entries.values()].reduce((total, { session }) => total + count(session), 0);

  return {
    get size() {
      return entries.size;
    },
    inFlight: () => sum(({ inFlight }) => inFlight),
    openStreams: () => sum(({ openStreams }) => openStreams),
    open(access) {
      if (entries.size >= options.maxSessions) return undefined;
      const session = createHttpSession(options, channelRights(access), () => entries.delete(session.id));
      entries.set(session.id, { session, access, usedAtMs: Date.now() });
      options.accept(session.channel);
      return session;
    },
    get(id, { owner, mayCall }) {
      const entry = entries.get(id);
      if (entry?.access.owner !== owner || entry.access.mayCall !== mayCall) return undefined;
      entry.usedAtMs = Date.now();
      return entry.session;
    },
    end,
    beat() {
      for (const { session } of entries.values()) session.beat();
    },
    expireIdle() {
      const now = Date.now();
      for (const [id, entry] of entries) {
        const { session } = entry;
        if (session.inFlight > 0 || session.openStreams > 0) entry.usedAtMs = now;
        else if (now - entry.usedAtMs >= options.idleMs) end(id);
      }
    },
    endAll() {
      for (const id of [...entries.keys()]) end(id);
    },
  };
}

function channelRights({ owner, mayCall }: Access): Pick<Channel, 'user' | 'mayCall'> {
  return { user: userOf(owner), mayCall };
}
