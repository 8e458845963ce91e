import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Hold, ToolError } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import pg from 'pg';
import { isConnectionFault } from './connection-fault.ts';
import { createListeners, type Signals } from './signals.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export interface SignalSource {
  readonly settings: pg.ClientConfig;
  /** What keeps this project's channel and names apart from others' on the same database. */
  readonly scope: string;
  /** A fault of the connection said so, any other as it is. */
  explain(error: unknown): unknown;
  unreachable(error: unknown): ToolError;
}

/**
 * LISTEN and session locks on one connection of their own, opened when first needed. While anyone listens
 * it is opened again when it breaks; a lock is gone with its connection, which is what it is for.
 */
export function postgresSignals({ settings, scope, explain, unreachable }: SignalSource): Signals {
  const channelName = `nexus_${digest(scope).toString('hex').slice(0, 24)}`;
  const listeners = createListeners();
  const held = new Map<string, AbortController>();
  const ending = new AbortController();
  let listening = false;
  let connection: Promise<pg.Client> | undefined;
  let reconnecting: Promise<void> | undefined;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client(settings);
    // `end` follows; without a listener an error would end the process.
    client.on('error', () => {});
    client.on('notification', ({ payload = '' }) => {
      const [channel = '', ...rest] = payload.split('\n');
      listeners.tell(channel, rest.join('\n'));
    });
    try {
      await client.connect();
      client.once('end', () => lose(client));
      if (listening) await client.query(`listen ${channelName}`);
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      throw unreachable(error);
    }
  }

  function connected(): Promise<pg.Client> {
    if (ending.signal.aborted) return Promise.reject(closed());
    const opening = connection ?? connect();
    connection = opening;
    opening.catch(() => {
      if (connection === opening) connection = undefined;
    });
    return opening;
  }

  /** One at a time: what is asked beside another query of a connection, pg itself will take no longer. */
  let asking: Promise<unknown> = Promise.resolve();
  function query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]> {
    const asked = asking.then(() => ask<Row>(text, values));
    asking = asked.catch(() => {});
    return asked;
  }

  async function ask<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]> {
    const client = await connected();
    try {
      return (await client.query<Row>(text, values)).rows;
    } catch (error) {
      // Where there is no answer, the connection is there for all that this end knows.
      if (isConnectionFault(error)) void client.end().catch(() => {});
      throw explain(error);
    }
  }

  function lose(client: pg.Client): void {
    connection = undefined;
    client.removeAllListeners('notification');
    for (const lost of held.values()) lost.abort();
    held.clear();
    if (listening && !ending.signal.aborted) reconnecting ??= reconnect();
  }

  async function reconnect(): Promise<void> {
    try {
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
        await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal: ending.signal });
        const isBack = await connected().then(
          () => true,
          () => false,
        );
        if (!isBack) continue;
        listeners.tellAll();
        return;
      }
    } catch {
      // The store was closed.
    } finally {
      reconnecting = undefined;
    }
  }

  return {
    async notify(channel, payload, db) {
      const text = `${channel}\n${payload}`;
      if (db) return void (await sql`select pg_notify(${channelName}, ${text})`.execute(db));
      await query('select pg_notify($1, $2)', [channelName, text]);
    },
    async listen(channel, listener) {
      const stop = listeners.add(channel, listener);
      const wasListening = listening;
      listening = true;
      try {
        if (!wasListening) await query(`listen ${channelName}`);
        else await (reconnecting ?? connected());
        return stop;
      } catch (error) {
        stop();
        listening = wasListening;
        throw error;
      }
    },
    async hold(name) {
      if (held.has(name)) return undefined; // a session may take its own lock twice
      const lost = new AbortController();
      held.set(name, lost);
      const key = lockKey(scope, name);
      const [row] = await query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [key]).catch(
        (error: unknown) => {
          if (held.get(name) === lost) held.delete(name);
          throw error;
        },
      );
      if (!row?.taken) {
        held.delete(name);
        return undefined;
      }
      return {
        lost: lost.signal,
        async release() {
          if (held.get(name) !== lost) return; // lost, or released before
          held.delete(name);
          await query('select pg_advisory_unlock($1)', [key]);
        },
      } satisfies Hold;
    },
    async isHeld(name) {
      const [row] = await query<{ held: boolean }>(HELD, [lockKey(scope, name)]);
      return row?.held ?? false;
    },
    async close() {
      ending.abort();
      await reconnecting;
      const client = await connection?.catch(() => undefined);
      connection = undefined;
      held.clear();
      await client?.end().catch(() => {});
    },
  };
}

/** A read: to try the lock would take it for a moment, and turn away who starts just then. */
const HELD = `select exists (
  select 1 from pg_locks
  where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and classid = (($1::bigint >> 32) & 4294967295)::oid and objid = ($1::bigint & 4294967295)::oid
) as held`;

function lockKey(scope: string, name: string): string {
  return digest(`${scope}\n${name}`).readBigInt64BE().toString();
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function closed(): ToolError {
  return new ToolError('NEXUS_SHUTTING_DOWN', 'The store is closed: the server is stopping.');
}
