import { isToolError, ToolError } from '@nexus/plugin-sdk';
import { PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { connectionFaults, isConnectionFault } from './connection-fault.ts';
import type { Opened } from './opened.ts';
import { toParameter } from './parameter.ts';
import { postgresSignals } from './postgres-signals.ts';
import { projectSchema, type SchemaSeeker } from './project-schema.ts';

const { INT8, NUMERIC } = pg.types.builtins;
const CONNECT_TIMEOUT_MS = 10_000;

/** @throws {ToolError} NEXUS_STORE_UNAVAILABLE with the server and the fix, and never the password */
export async function openPostgres(databaseUrl: string, seeker: SchemaSeeker): Promise<Opened> {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) {
    const text = 'NEXUS_DATABASE_URL must start with postgres:// (leave it out for the embedded database).';
    throw new ToolError('NEXUS_STORE_UNAVAILABLE', text);
  }
  const faults = connectionFaults(databaseUrl);
  const explain = (error: unknown) => (isConnectionFault(error) ? faults.broken(error) : error);
  const address = parseAddress(databaseUrl, faults.unreachable);
  const base = { ...address, types: numbersAsNumbers(), connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  const schema = await findSchema(base, seeker, faults);
  const settings = {
    ...base,
    application_name: schema,
    // At the start of each connection and not by a query after it: a pooler that gives one connection to
    // many clients either keeps this for each or refuses it.
    options: `${address.options ?? ''} -c search_path=${schema}`.trim(),
  };
  const pool = new pg.Pool(settings);
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
      throw isToolError(error) ? error : faults.unreachable(error);
    }
  };
  return {
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end() } }),
    signals: postgresSignals({ settings, scope: schema, explain, unreachable: faults.unreachable }),
  };
}

async function findSchema(
  settings: pg.ClientConfig,
  seeker: SchemaSeeker,
  faults: ReturnType<typeof connectionFaults>,
): Promise<string> {
  const client = new pg.Client(settings);
  client.on('error', () => {});
  try {
    await client.connect().catch((error: unknown) => {
      throw faults.unreachable(error);
    });
    return await projectSchema(client, seeker);
  } catch (error) {
    throw isConnectionFault(error) ? faults.broken(error) : error;
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

const scoped = new WeakSet<pg.PoolClient>();

/** A pooler that drops the search path would mix projects: asked once of each connection. */
async function assertScoped(client: pg.PoolClient, schema: string): Promise<void> {
  if (scoped.has(client)) return;
  let found: string | null | undefined;
  try {
    const { rows } = await client.query<{ schema: string | null }>('select current_schema() as schema');
    found = rows[0]?.schema;
  } catch (error) {
    client.release(true);
    throw error;
  }
  if (found === schema) {
    scoped.add(client);
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

/** kysely keeps one connection object per client, so each client is wrapped once. */
const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();

function asKysely(client: pg.PoolClient, explain: (error: unknown) => unknown): PostgresPoolClient {
  const known = wrapped.get(client);
  if (known) return known;
  let fault: Error | undefined;
  const query = async (sql: string, parameters: readonly unknown[]) => {
    try {
      return await client.query(sql, parameters.map(toParameter));
    } catch (error) {
      if (isConnectionFault(error)) fault = error;
      throw explain(error);
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
