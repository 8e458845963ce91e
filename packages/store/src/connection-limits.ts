import type { ClientConfig } from 'pg';

/**
 * Settings of each connection, so that a machine that is stopped or cut off blocks nobody for longer than a
 * lease of runs lasts (30 s): a transaction that it left open is undone with its locks, and what waits for one
 * of these gives up and is made again. No transaction waits for anything but the database, so none is idle for
 * long by itself. Milliseconds, but for the keepalive's, which are seconds; what the address says goes before.
 */
const LIMITS = {
  idle_in_transaction_session_timeout: 10_000,
  lock_timeout: 10_000,
  statement_timeout: 20_000,
  tcp_user_timeout: 20_000,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 2,
} as const;

/** Longer than any statement takes: where there is no answer by then, there is nobody at the other end. */
const ANSWER_MS = 30_000;
const KEEPALIVE_MS = 10_000;

/** Set at the connection's start and not by a query after it: a pooler keeps it for each client, or refuses it. */
export const limitOptions = Object.entries(LIMITS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** What this end of a connection holds to. */
export const limitsHere: ClientConfig = {
  query_timeout: ANSWER_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEPALIVE_MS,
};

/** Asks whether a connection has them. */
export const HAS_LIMITS = `current_setting('idle_in_transaction_session_timeout') <> '0' and current_setting('lock_timeout') <> '0'`;

const OF_TRANSACTIONS = ['idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout'] as const;

/** Begins a transaction where something between takes the connection's settings away. */
export function withLimits(begin: string): string {
  return [begin, ...OF_TRANSACTIONS.map((name) => `set local ${name} = ${LIMITS[name]}`)].join('; ');
}

/** For a transaction that takes as long as it takes; it still may not be left open. */
export const WITHOUT_LIMITS = 'set local statement_timeout = 0; set local lock_timeout = 0';

/** The longest that a timer of this machine can be set to. */
export const ANY_MS = 2_147_483_647;
