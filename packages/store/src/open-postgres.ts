import { ToolError } from '@nexus/plugin-sdk';
import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { toParameter } from './parameter.ts';

const { INT8, NUMERIC } = pg.types.builtins;

/** @throws {ToolError} NEXUS_STORE_UNAVAILABLE with the server and the fix, and never the password */
export async function openPostgres(databaseUrl: string): Promise<Dialect> {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) {
    const text = 'NEXUS_DATABASE_URL must start with postgres:// (leave it out for the embedded database).';
    throw new ToolError('NEXUS_STORE_UNAVAILABLE', text);
  }
  const types = new pg.TypeOverrides();
  // Counts, sums and times come as numbers from SQLite, so they do from here.
  types.setTypeParser(INT8, Number);
  types.setTypeParser(NUMERIC, Number);
  const pool = new pg.Pool({ connectionString: databaseUrl, types, connectionTimeoutMillis: 10_000 });
  // An idle connection that breaks would end the process; the next query opens a new one.
  pool.on('error', () => {});
  const connect = async () => {
    try {
      return asKysely(await pool.connect());
    } catch (error) {
      throw explain(error, databaseUrl);
    }
  };
  try {
    (await connect()).release();
  } catch (error) {
    await pool.end();
    throw error;
  }
  return new PostgresDialect({ pool: { connect, end: () => pool.end() } });
}

/** kysely keeps one connection object per client, so each client is wrapped once. */
const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();

function asKysely(client: pg.PoolClient): PostgresPoolClient {
  const known = wrapped.get(client);
  if (known) return known;
  const query = (sql: string, parameters: readonly unknown[]) =>
    client.query(sql, parameters.map(toParameter));
  // The cursor overload is left out: no cursor is configured, so kysely never calls it.
  const checked = { query, release: () => client.release() } as unknown as PostgresPoolClient;
  wrapped.set(client, checked);
  return checked;
}

function explain(error: unknown, databaseUrl: string): ToolError {
  const reason = withoutPassword(error instanceof Error ? error.message : String(error), databaseUrl);
  const text = `Postgres at ${placeOf(databaseUrl)} can’t be reached. Check NEXUS_DATABASE_URL, the server and the network. (${reason})`;
  return new ToolError('NEXUS_STORE_UNAVAILABLE', text);
}

function placeOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'the address in NEXUS_DATABASE_URL';
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}

function withoutPassword(text: string, databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'the address is not a URL';
  const url = new URL(databaseUrl);
  const secrets = [databaseUrl, url.password, decoded(url.password), url.searchParams.get('password') ?? ''];
  return secrets.filter(Boolean).reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
