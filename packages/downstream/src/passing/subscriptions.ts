import { ANSWER_MS, endsWithin, isRecord } from '@nexus/core';
import type { Log } from '@nexus/plugin-sdk';
import type { Lease } from '../leases/lease.ts';
import type { LinkStatus } from '../leases/link.ts';
import type { Session } from '../sessions/session.ts';
import { hasOpen } from '../sessions/session-leases.ts';
import { routesOf } from './resources.ts';

/** Who is told of which resource: one subscription a connection, however many sessions want it. */
export interface Subscriptions {
  /** @returns whether a server took it */
  subscribe(session: Session, uri: string): Promise<boolean>;
  unsubscribe(session: Session, uri: string): Promise<void>;
  /** Ends those of connections that the session has no more. */
  prune(session: Session): void;
  /** The URIs, as the session knows them, that an update of `uri` is told by. */
  wanted(session: Session, link: LinkStatus, uri: unknown): readonly string[];
  /** A new connection is told of all that the one before was. */
  restore(link: LinkStatus): void;
}

interface Subscription {
  readonly session: Session;
  readonly lease: Lease;
  /** As the session knows it, and as the server does. */
  readonly asked: string;
  readonly uri: string;
}

export function createSubscriptions(log: Log): Subscriptions {
  let all: readonly Subscription[] = [];
  const others = ({ lease, uri }: Subscription) =>
    all.some((each) => each.lease.link === lease.link && each.uri === uri);

  function remove(gone: readonly Subscription[]): Promise<unknown> {
    all = all.filter((each) => !gone.includes(each));
    const unwanted = gone.filter((each) => !others(each));
    return Promise.allSettled(
      unwanted
        .filter(({ lease }) => lease.isConnected)
        .map(({ lease, uri }) =>
          lease.request('resources/unsubscribe', { uri }, { signal: endsWithin(ANSWER_MS) }),
        ),
    );
  }

  return {
    async subscribe(session, asked) {
      for (const { at, uri } of await routesOf(session, asked)) {
        const subscription = { session, lease: at, asked, uri };
        if (!canSubscribe(at)) continue;
        if (!others(subscription)) {
          const taken = await at
            .request('resources/subscribe', { uri }, { signal: endsWithin(ANSWER_MS) })
            .then(
              () => true,
              () => false,
            );
          if (!taken) continue;
        }
        all = [...all.filter((each) => each.session !== session || each.asked !== asked), subscription];
        return true;
      }
      return false;
    },
    async unsubscribe(session, asked) {
      await remove(all.filter((each) => each.session === session && each.asked === asked));
    },
    prune(session) {
      void remove(all.filter((each) => each.session === session && !hasOpen(session, each.lease.link)));
    },
    wanted: (session, link, uri) =>
      all
        .filter((each) => each.session === session && each.lease.link === link && each.uri === uri)
        .map(({ asked }) => asked),
    restore(link) {
      const byUri = new Map(all.filter(({ lease }) => lease.link === link).map((each) => [each.uri, each]));
      for (const [uri, { lease }] of byUri) {
        lease
          .request('resources/subscribe', { uri }, { signal: endsWithin(ANSWER_MS) })
          .catch((error: unknown) =>
            log.warn('a subscription was lost with its connection', { uri, err: error }),
          );
      }
    },
  };
}

function canSubscribe({ server }: Lease): boolean {
  const resources = server?.capabilities.resources;
  return isRecord(resources) && resources.subscribe === true;
}
