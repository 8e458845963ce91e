import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '@nexus/plugin-sdk';
import pg from 'pg';
import { connectionFaults } from './connection-fault.ts';
import { baseSchema, countRows, mark, ownerOf, schemaName } from './project-schema.ts';

type Rows = readonly (readonly [table: string, rows: number])[];

/** What a database holds that was written before projects were kept apart. */
export interface UnscopedRows {
  readonly schema: string;
  readonly rows: Rows;
  /** The project that took them over. */
  readonly owner: string | undefined;
}

export interface SharedDatabase {
  readonly databaseUrl: string;
  readonly projectId: string;
}

/** Reads only. @throws {ToolError} NEXUS_STORE_UNAVAILABLE */
export function findUnscoped({ databaseUrl }: SharedDatabase): Promise<UnscopedRows> {
  return withClient(databaseUrl, look);
}

/**
 * Makes the tables from before projects were kept apart this project's, where they are: a server of the
 * previous version goes on with them meanwhile. It is one project's alone, and only on a person's word,
 * since most rows do not say whose they are.
 * @param setAside goes ahead where the project has rows of its own, which stay in their schema, out of sight
 * @throws {ToolError} NEXUS_CONFLICT where another project has them, or something stands in the way
 */
export function takeOver(
  { databaseUrl, projectId }: SharedDatabase,
  { setAside }: { setAside: boolean },
): Promise<UnscopedRows & { setAside: Rows }> {
  return withClient(databaseUrl, async (client) => {
    const found = await look(client);
    if (found.owner === projectId) return { ...found, setAside: [] };
    if (found.owner !== undefined)
      throw conflict(`The rows in schema ${found.schema} are project ${found.owner}’s already.`);
    const own = schemaName(found.schema, projectId);
    const open = await openConnections(client, own);
    if (open > 0)
      throw conflict(
        `${open === 1 ? '1 connection of this project’s servers is' : `${open} connections of this project’s servers are`} open. Stop the servers (\`nexus stop\`, on each machine), then try again.`,
      );
    const ownRows = await countRows(client, own);
    if (ownRows.length > 0 && !setAside)
      throw conflict(
        `The project has rows of its own already (${ownRows.map((entry) => entry.join(': ')).join(', ')}). \`--set-aside\` leaves them in schema ${own}, out of sight, and goes ahead.`,
      );
    await mark(client, found.schema, projectId);
    return { ...found, owner: projectId, setAside: ownRows };
  });
}

/** How long the server's side of a connection may outlive the process that had it. */
const ENDING_MS = 2_000;
const LOOK_EVERY_MS = 50;

/** Connections of the project's servers that stay; what a server left that was just stopped ends by itself. */
async function openConnections(client: pg.Client, schema: string): Promise<number> {
  const giveUpAt = performance.now() + ENDING_MS;
  for (;;) {
    const { rows } = await client.query('select 1 from pg_stat_activity where application_name = $1', [
      schema,
    ]);
    if (rows.length === 0 || performance.now() >= giveUpAt) return rows.length;
    await sleep(LOOK_EVERY_MS);
  }
}

async function look(client: pg.Client): Promise<UnscopedRows> {
  const schema = await baseSchema(client);
  return { schema, rows: await countRows(client, schema), owner: await ownerOf(client, schema) };
}

async function withClient<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect().catch((error: unknown) => {
      throw connectionFaults(databaseUrl).unreachable(error);
    });
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

function conflict(text: string): ToolError {
  return new ToolError('NEXUS_CONFLICT', text);
}
