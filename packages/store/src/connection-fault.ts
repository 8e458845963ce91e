import { ToolError } from '@nexus/plugin-sdk';

/**
 * SQLSTATE: the connection broke; the server stops, starts or has no room; it is a standby after a fail-over; a
 * transaction was left open for too long.
 */
const BROKEN_STATE = /^(08...|57P0[1-5]|53300|25006|25P0[34])$/;
/** A lock or a statement took too long; others were in the way; there is no room. The connection goes on. */
const BUSY_STATE = /^(55P03|57014|40001|40P01|53[124]00)$/;
/** The server's disk. */
const FULL_STATE = /^53100$/;
const BROKEN_SOCKET =
  /^E(CONNRESET|CONNREFUSED|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NETDOWN|NOTCONN)$/;
/** What pg says where it gives no code. */
const BROKEN_TEXT =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/;

/** Whether the connection is of no use any more, and not the query at fault. */
export function isConnectionFault(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return BROKEN_STATE.test(code) || BROKEN_SOCKET.test(code) || BROKEN_TEXT.test(error.message);
}

/** A server that only reads has refused the write; what this end's client refuses has not left it. */
const UNWRITTEN_STATE = /^25006$/;
const UNSENT_TEXT = /^(Client has encountered a connection error|Client was closed)/;

/** Whether the server surely has not done what broke off so, though nothing stood around it. */
export function wasSurelyNotDone(error: Error): boolean {
  return UNWRITTEN_STATE.test(codeOf(error)) || UNSENT_TEXT.test(error.message);
}

/** Whether the server takes no write from this user and database, or from anybody. */
export function onlyReads(error: Error): boolean {
  return UNWRITTEN_STATE.test(codeOf(error));
}

export function isFull(error: unknown): error is Error {
  return error instanceof Error && FULL_STATE.test(codeOf(error));
}

/** Whether the same may go well a little later, on the same connection. */
export function isBusyFault(error: unknown): error is Error {
  return error instanceof Error && BUSY_STATE.test(codeOf(error));
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

/** What goes wrong with the database at this address, said without its password. */
export function connectionFaults(databaseUrl: string) {
  const place = placeOf(databaseUrl);
  const reasonOf = (error: unknown) =>
    withoutPassword(error instanceof Error ? error.message : String(error), databaseUrl);
  const unavailable = (what: string, error: unknown, wasWritten?: false) =>
    new ToolError('NEXUS_STORE_UNAVAILABLE', `${what} (${reasonOf(error)})`, {
      ...(wasWritten === undefined ? {} : { detail: { wasWritten } }),
    });
  return {
    unreachable: (error: unknown) =>
      unavailable(
        `Postgres at ${place} can’t be reached. Check NEXUS_DATABASE_URL, the server and the network.`,
        error,
        false,
      ),
    onlyReads: (error: unknown) =>
      unavailable(
        `Postgres at ${place} only reads. Where it is a standby, name the server that writes in NEXUS_DATABASE_URL; where the setting default_transaction_read_only is on for this user or database, switch it off there.`,
        error,
        false,
      ),
    full: (error: unknown) =>
      unavailable(
        `Postgres at ${place} has no room left on its disk, and this was undone. Make room there, then try again.`,
        error,
        false,
      ),
    busy: (error: unknown) =>
      unavailable(
        `Postgres at ${place} was busy with something else for too long, and this was undone. Try again.`,
        error,
        false,
      ),
    undone: (error: unknown) =>
      unavailable(
        `The connection to Postgres at ${place} broke in the middle of this, and it was undone. Try again; the next query opens another.`,
        error,
        false,
      ),
    broken: (error: unknown) =>
      unavailable(
        `The connection to Postgres at ${place} broke before it answered, so nobody knows whether this was written. Look before you try again; the next query opens another.`,
        error,
      ),
  };
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
