import type { Log } from '@nexus/plugin-sdk';
import type { Connection } from '../connection/index.ts';
import type { Link } from '../pool/link.ts';
import type { Session } from '../sessions/session.ts';
import { routesOf } from './resources.ts';
import { hasOpen } from './session-links.ts';

/** Who is told of which resource: one subscription a connection, however many sessions want it. */
export interface Subscriptions {
  /** @returns whether a server took it */
  subscribe(session: Session, uri: string): Promise<boolean>;
  unsubscribe(session: Session, uri: string): Promise<void>;
  /** Ends those of connections that the session has no more. */
  prune(session: Session): void;
  /** The URIs, as the session knows them, that an update of `uri` is told by. */
  wanted(session: Session, link: Link, uri: unknown): readonly string[];
  /** A new connection is told of all that the one before was. */
  restore(link: Link, connection: Connection): void;
}

interface Subscription {
  readonly session: Session;
  readonly link: Link;
  /** As the session knows it, and as the server does. */
  readonly asked: string;
  readonly uri: string;
}

export function createSubscriptions(log: Log): Subscriptions {
  let all: readonly Subscription[] = [];
  const others = ({ link, uri }: Subscription) => all.some((each) => each.link === link && each.uri === uri);

  function remove(gone: readonly Subscription[]): Promise<unknown> {
    all = all.filter((each) => !gone.includes(each));
    const unwanted = gone.filter((each) => !others(each));
    return Promise.allSettled(
      unwanted.map(({ link, uri }) => link.connection?.request('resources/unsubscribe', { uri })),
    );
  }

  return {
    async subscribe(session, asked) {
      for (const { at, uri } of await routesOf(session, asked)) {
        const subscription = { session, link: at.link, asked, uri };
        const { connection } = at.link;
        if (!canSubscribe(connection)) continue;
        if (!others(subscription)) {
          const taken = await connection.request('resources/subscribe', { uri }).then(
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
      void remove(all.filter((each) => each.session === session && !hasOpen(session, each.link)));
    },
    wanted: (session, link, uri) =>
      all
        .filter((each) => each.session === session && each.link === link && each.uri === uri)
        .map(({ asked }) => asked),
    restore(link, connection) {
      const uris = new Set(all.filter((each) => each.link === link).map(({ uri }) => uri));
      for (const uri of uris) {
        connection
          .request('resources/subscribe', { uri })
          .catch((error: unknown) =>
            log.warn('a subscription was lost with its connection', { uri, err: error }),
          );
      }
    },
  };
}

function canSubscribe(connection: Connection | undefined): connection is Connection {
  const resources = connection?.server.capabilities.resources;
  return (
    typeof resources === 'object' &&
    resources !== null &&
    'subscribe' in resources &&
    resources.subscribe === true
  );
}
