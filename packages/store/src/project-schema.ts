import { createHash } from 'node:crypto';
import { type Log, ToolError } from '@nexus/plugin-sdk';
import pg from 'pg';

/** Any constant: it only has to be the same in every Nexus that shares a Postgres. */
const SCHEMA_LOCK = 0x6e65_7870;

export interface SchemaSeeker {
  readonly projectId: string;
  /** What the project was called before it had a remote: its tables follow it. */
  readonly formerId?: string | undefined;
  readonly log?: Log | undefined;
}

/**
 * The Postgres schema with this project's tables, made where there is none. Every connection of the project
 * has it for its whole search path, so that no query, raw SQL included, can reach another project's.
 * @throws {ToolError} NEXUS_STORE_UNAVAILABLE when it may not be made
 */
export async function projectSchema(client: pg.Client, seeker: SchemaSeeker): Promise<string> {
  const { projectId, formerId, log } = seeker;
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
  const base = await baseSchema(client);
  const schema = await choose();
  await client.query('commit');
  return schema;

  async function choose(): Promise<string> {
    const owner = await ownerOf(client, base);
    if (owner === projectId) return base;
    const own = schemaName(base, projectId);
    if (await schemaExists(client, own)) {
      const inIt = await ownerOf(client, own);
      if (inIt === projectId) return own;
      if (inIt !== undefined) throw collision(own, inIt);
      await mark(client, own, projectId); // made beforehand, by who may
      return own;
    }
    const former = formerId && schemaName(base, formerId);
    if (former && (await ownerOf(client, former)) === formerId) {
      await client.query(`alter schema ${former} rename to ${own}`);
      await client.query(`update ${own}.nexus_project set id = $1`, [projectId]);
      return own;
    }
    await client.query(`create schema ${own}`).catch((error: unknown) => {
      throw notAllowed(own, error);
    });
    await mark(client, own, projectId);
    if (owner === undefined) await tellOfUnscoped();
    return own;
  }

  async function tellOfUnscoped(): Promise<void> {
    const rows = await countRows(client, base);
    if (rows.length === 0) return;
    log?.warn(
      'the database holds rows from before projects were kept apart; they are left as they are. `nexus project take-over` makes them this project’s',
      { project: projectId, schema: base, rows: Object.fromEntries(rows) },
    );
  }
}

/** Where the connection's tables are without us: `public`, or what the address says. */
export async function baseSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ base: string | null }>('select current_schema() as base');
  const base = rows[0]?.base;
  if (base) return base;
  throw new ToolError(
    'NEXUS_STORE_UNAVAILABLE',
    'The search_path of NEXUS_DATABASE_URL names no schema that exists. Create it, or leave it out.',
  );
}

/** The project that a schema is marked as; undefined where it is nobody's, or is not there. */
export async function ownerOf(client: pg.Client, schema: string): Promise<string | undefined> {
  const table = `${pg.escapeIdentifier(schema)}.nexus_project`;
  const { rows } = await client.query<{ there: string | null }>('select to_regclass($1) as there', [table]);
  if (!rows[0]?.there) return undefined;
  return (await client.query<{ id: string }>(`select id from ${table}`)).rows[0]?.id;
}

export async function mark(client: pg.Client, schema: string, projectId: string): Promise<void> {
  const table = `${pg.escapeIdentifier(schema)}.nexus_project`;
  await client.query(`create table ${table} (id text primary key)`);
  await client.query(`insert into ${table} values ($1)`, [projectId]);
}

/** Tables of plugins that hold anything, and how much. */
export async function countRows(client: pg.Client, schema: string): Promise<[table: string, rows: number][]> {
  const inSchema = pg.escapeIdentifier(schema);
  const { rows: ours } = await client.query('select to_regclass($1) as there', [
    `${inSchema}.nexus_migrations`,
  ]);
  if (!ours[0]?.there) return [];
  const { rows: tables } = await client.query<{ name: string }>(
    `select t.tablename as name from pg_tables t where t.schemaname = $1 and t.tablename not like 'nexus\\_%'
       and exists (select 1 from ${inSchema}.nexus_migrations m where t.tablename like m.plugin || '\\_%') order by 1`,
    [schema],
  );
  const counted: [string, number][] = [];
  for (const { name } of tables) {
    const from = `${inSchema}.${pg.escapeIdentifier(name)}`;
    const { rows } = await client.query<{ n: string }>(`select count(*) as n from ${from}`);
    if (Number(rows[0]?.n) > 0) counted.push([name, Number(rows[0]?.n)]);
  }
  return counted;
}

/** A readable part, and one that is only this project's; a schema that the address names keeps apart, too. */
export function schemaName(base: string, projectId: string): string {
  const name = projectId
    .replace(/^.*\//, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 30);
  const key = base === 'public' ? projectId : `${base}\n${projectId}`;
  return `nexus_${name}_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
}

async function schemaExists(client: pg.Client, schema: string): Promise<boolean> {
  const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [schema]);
  return rows.length > 0;
}

function collision(schema: string, owner: string): ToolError {
  const text = `Schema ${schema} of the database is project ${owner}’s. Set another NEXUS_PROJECT_ID.`;
  return new ToolError('NEXUS_STORE_UNAVAILABLE', text);
}

function notAllowed(schema: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '42501') return error;
  return new ToolError(
    'NEXUS_STORE_UNAVAILABLE',
    `Each project has a schema of its own, and this user may not make one. Let an administrator run \`grant create on database … to …\`, or \`create schema ${schema} authorization …\`. (${error.message})`,
  );
}
