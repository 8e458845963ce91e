import { isToolError, ToolError } from '@nexus/plugin-sdk';
import { PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import {
  connectionFaults,
  isBusyFault,
  isConnectionFault,
  isFull,
  onlyReads,
  wasSurelyNotDone,
} from './connection-fault.ts';
import {
  ANY_MS,
  HAS_LIMITS,
  limitOptions,
  limitsHere,
  WITHOUT_LIMITS,
  withLimits,
} from './connection-limits.ts';
import type { Opened } from './opened.ts';
import { toParameter } from './parameter.ts';
import { postgresSignals } from './postgres-signals.ts';
import { projectSchema, type SchemaSeeker } from './project-schema.ts';

const { INT8, NUMERIC } = pg.types.builtins;
const CONNECT_TIMEOUT_MS = 10_000;
/** How long one of the connections is waited for where all are in use: as long as a call may take that somebody waits by. */
const LINE_MS = 60_000;
const LINE_TEXT = /^timeout exceeded when trying to connect/;

/** The pool has one setting for both: how long a connection may take to be made, and how long one is waited for. */
class ConnectingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    // The pool hides the password from whoever lists its settings.
    super({ ...config, password: config?.password, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  }
}

/** @throws {ToolError} NEXUS_STORE_UNAVAILABLE with the server and the fix, and never the password */
export async function openPostgres(databaseUrl: string, seeker: SchemaSeeker): Promise<Opened> {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) {
    const text = 'NEXUS_DATABASE_URL must start with postgres:// (leave it out for the embedded database).';
    throw new ToolError('NEXUS_STORE_UNAVAILABLE', text);
  }
  const faults = connectionFaults(databaseUrl);
  const explain: Explain = (error, isUndone = false) => {
    if (isConnectionFault(error)) {
      if (onlyReads(error)) return faults.onlyReads(error);
      return isUndone || wasSurelyNotDone(error) ? faults.undone(error) : faults.broken(error);
    }
    if (isFull(error)) return faults.full(error);
    return isBusyFault(error) ? faults.busy(error) : error;
  };
  const address = parseAddress(databaseUrl, faults.unreachable);
  const base = {
    ...limitsHere,
    ...address,
    types: numbersAsNumbers(),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: `${limitOptions} ${address.options ?? ''}`.trim(),
  };
  const schema = await findSchema(base, seeker, { ...faults, explain });
  const settings = {
    ...base,
    application_name: schema,
    // As the limits are: from the connection's start.
    options: `${base.options} -c search_path=${schema}`,
  };
  const makePool = (own: pg.PoolConfig) => {
    const pool = new pg.Pool({
      ...settings,
      ...own,
      connectionTimeoutMillis: LINE_MS,
      Client: ConnectingClient,
    });
    // An idle connection that breaks would end the process; the next query opens a new one.
    pool.on('error', () => {});
    // So would one that breaks while a transaction has it, between two queries.
    pool.on('connect', (client) => client.on('error', () => {}));
    const connect = async () => {
      try {
        const client = await pool.connect();
        await assertScoped(client, schema);
        return asKysely(client, explain);
      } catch (error) {
        if (isToolError(error)) throw error;
        throw LINE_TEXT.test(String((error as Error).message))
          ? faults.busy(error)
          : faults.unreachable(error);
      }
    };
    return { pool, connect, end: () => pool.end() };
  };
  const usual = makePool({});
  const first = makePool({
    // The server has it when it answers, and what it has outlives this process: no need to wait for its disk.
    options: `${settings.options} -c synchronous_commit=off`,
    max: 1,
    idleTimeoutMillis: 0,
  });
  return {
    dialect: new PostgresDialect({ pool: usual }),
    async ahead({ sql, parameters }) {
      // Its own is in use for as long as an answer takes, which need not be waited for where another is free.
      const isFree = first.pool.idleCount > 0 || first.pool.totalCount === 0 || usual.pool.idleCount === 0;
      const client = await (isFree ? first : usual).connect();
      try {
        await client.query(sql, parameters);
      } finally {
        client.release();
      }
    },
    closeAhead: first.end,
    signals: postgresSignals({ settings, scope: schema, explain, unreachable: faults.unreachable }),
  };
}

async function findSchema(
  settings: pg.ClientConfig,
  seeker: SchemaSeeker,
  {
    unreachable,
    explain,
  }: Pick<ReturnType<typeof connectionFaults>, 'unreachable'> & { readonly explain: Explain },
): Promise<string> {
  const client = new pg.Client(settings);
  client.on('error', () => {});
  try {
    await client.connect().catch((error: unknown) => {
      throw unreachable(error);
    });
    return await projectSchema(client, seeker);
  } catch (error) {
    throw explain(error);
  } finally {
    await client.end().catch(() => {});
  }
}

function parseAddress(databaseUrl: string, explain: (error: unknown) => ToolError): pg.ClientConfig {
  try {
    return parseIntoClientConfig(databaseUrl);
  } catch (error) {
    throw explain(error);
  }
}

/** Connections that were asked, and whether they keep their limits by themselves. */
const scoped = new WeakMap<pg.PoolClient, boolean>();

/** A pooler that drops the search path would mix projects: asked once of each connection. */
async function assertScoped(client: pg.PoolClient, schema: string): Promise<void> {
  if (scoped.has(client)) return;
  let found: string | null | undefined;
  let isLimited = false;
  try {
    const { rows } = await client.query<{ schema: string | null; limited: boolean }>(
      `select current_schema() as schema, ${HAS_LIMITS} as limited`,
    );
    found = rows[0]?.schema;
    isLimited = rows[0]?.limited === true;
  } catch (error) {
    client.release(true);
    throw error;
  }
  if (found === schema) {
    scoped.set(client, isLimited);
    return;
  }
  client.release(true);
  throw new ToolError(
    'NEXUS_STORE_UNAVAILABLE',
    `The connection to Postgres has schema ${found} and not the project’s ${schema}: what stands between drops the setting \`search_path\`. Connect to the server itself, or let the pooler keep a connection for each session.`,
  );
}

/** Counts, sums and times come as numbers from SQLite, so they do from here. */
function numbersAsNumbers(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, Number);
  types.setTypeParser(NUMERIC, Number);
  return types;
}

/** As kysely writes them. */
const BEGINS = /^(begin|start transaction)\b/i;
const ENDS = /^(commit|rollback)$/i;
const COMMITS = /^commit$/i;
/** Of one query, in the place of the connection's own. */
const NO_HURRY = { query_timeout: ANY_MS };

/** kysely keeps one connection object per client, so each client is wrapped once. */
const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();

/** @param isUndone whether what the error is of surely does not hold, since its connection is gone */
type Explain = (error: unknown, isUndone?: boolean) => unknown;

function asKysely(client: pg.PoolClient, explain: Explain): PostgresPoolClient {
  const known = wrapped.get(client);
  if (known) return known;
  let fault: Error | undefined;
  let isUnlimited = false;
  let isWithin = false;
  const ask = (text: string, parameters: readonly unknown[]) => {
    if (text === WITHOUT_LIMITS) isUnlimited = true;
    else if (ENDS.test(text)) isUnlimited = false;
    if (BEGINS.test(text) && !scoped.get(client)) return client.query(withLimits(text));
    const values = parameters.map(toParameter);
    return isUnlimited ? client.query({ text, values, ...NO_HURRY }) : client.query(text, values);
  };
  const query = async (sql: string, parameters: readonly unknown[]) => {
    // Behind a query that has no answer nothing has one.
    if (fault) throw explain(fault, true);
    if (BEGINS.test(sql)) isWithin = true;
    const isUndone = isWithin && !COMMITS.test(sql);
    if (ENDS.test(sql)) isWithin = false;
    try {
      return await ask(sql, parameters);
    } catch (error) {
      if (isConnectionFault(error)) fault = error;
      if (BEGINS.test(sql)) isWithin = false;
      throw explain(error, isUndone);
    }
  };
  // A connection at fault does not go back to the pool, even where its socket is still open: after a
  // fail-over that is the way to a server that only reads. The cursor overload of `query` is left out: no
  // cursor is configured, so kysely never calls it.
  const release = () => client.release(fault);
  const checked = { query, release } as unknown as PostgresPoolClient;
  wrapped.set(client, checked);
  return checked;
}
