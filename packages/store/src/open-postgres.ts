import { ToolError } from '@nexus/plugin-sdk';
import { PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { connectionFaults, isConnectionFault } from './connection-fault.ts';
import type { Opened } from './opened.ts';
import { toParameter } from './parameter.ts';
import { postgresSignals } from './postgres-signals.ts';

const { INT8, NUMERIC } = pg.types.builtins;
const CONNECT_TIMEOUT_MS = 10_000;

/** @throws {ToolError} NEXUS_STORE_UNAVAILABLE with the server and the fix, and never the password */
export async function openPostgres(databaseUrl: string, projectId: string): Promise<Opened> {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) {
    const text = 'NEXUS_DATABASE_URL must start with postgres:// (leave it out for the embedded database).';
    throw new ToolError('NEXUS_STORE_UNAVAILABLE', text);
  }
  const faults = connectionFaults(databaseUrl);
  const explain = (error: unknown) => (isConnectionFault(error) ? faults.broken(error) : error);
  const settings = {
    connectionString: databaseUrl,
    types: numbersAsNumbers(),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  };
  const pool = new pg.Pool(settings);
  // An idle connection that breaks would end the process; the next query opens a new one.
  pool.on('error', () => {});
  // So would one that breaks while a transaction has it, between two queries.
  pool.on('connect', (client) => client.on('error', () => {}));
  const connect = async () => {
    try {
      return asKysely(await pool.connect(), explain);
    } catch (error) {
      throw faults.unreachable(error);
    }
  };
  try {
    (await connect()).release();
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end() } }),
    signals: postgresSignals({ settings, scope: projectId, pool, explain: faults.broken }),
  };
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
