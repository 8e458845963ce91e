import { findPostgres, startPostgres } from '@nexus/testing';
import type { CallLog } from './calls.ts';
import { Endings } from './endings.ts';
import { type Host, openHost } from './host.ts';
import { makePlace, type Place } from './places.ts';
import { openProxy, type PostgresProxy } from './proxy.ts';
import { postgresRows, type ReadRows, sqliteRows } from './record.ts';

/** What the work stands on, and what can be done to it. */
export interface Ground extends AsyncDisposable {
  readonly hosts: readonly Host[];
  readonly read: ReadRows;
  /** The one that machines share; undefined for one in a file. */
  readonly database: Database | undefined;
}

export interface Database {
  /** In order: connections are closed, and told so. */
  shutDown(): Promise<void>;
  crash(): Promise<void>;
  begin(): Promise<void>;
  /** What each machine reaches it by, where it is to be cut off. */
  readonly proxies: readonly PostgresProxy[];
}

export type Store = 'postgres' | 'sqlite';

export interface GroundInput {
  readonly calls: CallLog;
  /** The folder that processes write to. */
  readonly logs: string;
  readonly isProxied: boolean;
}

/** Two machines with a server each on one Postgres; or one machine whose three hosts share a server on SQLite. */
export async function layGround(store: Store, input: GroundInput): Promise<Ground> {
  const endings = new Endings();
  try {
    return await (store === 'postgres' ? onPostgres(input, endings) : onSqlite(input, endings));
  } catch (error) {
    await endings[Symbol.asyncDispose]();
    throw error;
  }
}

async function onPostgres({ calls, logs, isProxied }: GroundInput, endings: Endings): Promise<Ground> {
  const binaries = findPostgres();
  if (!binaries)
    throw new Error('There is no Postgres here (initdb, postgres); NEXUS_TEST_POSTGRES names one.');
  const postgres = await startPostgres(binaries);
  endings.add(() => postgres.stop());
  const proxies: PostgresProxy[] = [];
  const hosts: Host[] = [];
  for (const name of ['a', 'b']) {
    const proxy = isProxied ? await openProxy(postgres.url) : undefined;
    if (proxy) {
      endings.add(() => proxy[Symbol.asyncDispose]());
      proxies.push(proxy);
    }
    const place = await openPlace(name, calls, endings, { NEXUS_DATABASE_URL: proxy?.url ?? postgres.url });
    hosts.push(openOne(name, place, logs, endings));
  }
  const { shutDown, crash, restart: begin } = postgres;
  const database = { shutDown, crash, begin, proxies };
  return {
    hosts,
    read: postgresRows(postgres),
    database,
    [Symbol.asyncDispose]: () => endings[Symbol.asyncDispose](),
  };
}

async function onSqlite({ calls, logs }: GroundInput, endings: Endings): Promise<Ground> {
  const place = await openPlace('one', calls, endings, {});
  const hosts = ['one-a', 'one-b', 'one-c'].map((name) => openOne(name, place, logs, endings));
  return {
    hosts,
    read: sqliteRows(place.dataDir),
    database: undefined,
    [Symbol.asyncDispose]: () => endings[Symbol.asyncDispose](),
  };
}

async function openPlace(
  name: string,
  calls: CallLog,
  endings: Endings,
  env: Readonly<Record<string, string>>,
): Promise<Place> {
  const endpoint = await calls.open(name);
  endings.add(() => endpoint[Symbol.asyncDispose]());
  const place = makePlace(name, { ANTHROPIC_BASE_URL: endpoint.url, ...env });
  endings.add(() => place.remove());
  return place;
}

function openOne(name: string, place: Place, logs: string, endings: Endings): Host {
  const host = openHost(name, place, logs);
  endings.add(() => host.close());
  return host;
}
