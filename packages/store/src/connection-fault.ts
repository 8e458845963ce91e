import { ToolError } from '@nexus/plugin-sdk';

/** SQLSTATE: the connection broke; the server stops, starts or has no room; it is a standby after a fail-over. */
const BROKEN_STATE = /^(08...|57P0[1-5]|53300|25006)$/;
const BROKEN_SOCKET =
  /^E(CONNRESET|CONNREFUSED|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NETDOWN|NOTCONN)$/;
/** What pg says where it gives no code. */
const BROKEN_TEXT = /^(Connection terminated|Client has encountered a connection error|Client was closed)/;

/** Whether the connection is of no use any more, and not the query at fault. */
export function isConnectionFault(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return BROKEN_STATE.test(code) || BROKEN_SOCKET.test(code) || BROKEN_TEXT.test(error.message);
}

/** What goes wrong with the database at this address, said without its password. */
export function connectionFaults(databaseUrl: string) {
  const place = placeOf(databaseUrl);
  const reasonOf = (error: unknown) =>
    withoutPassword(error instanceof Error ? error.message : String(error), databaseUrl);
  return {
    unreachable: (error: unknown) =>
      new ToolError(
        'NEXUS_STORE_UNAVAILABLE',
        `Postgres at ${place} can’t be reached. Check NEXUS_DATABASE_URL, the server and the network. (${reasonOf(error)})`,
      ),
    broken: (error: unknown) =>
      new ToolError(
        'NEXUS_STORE_UNAVAILABLE',
        `The connection to Postgres at ${place} broke in the middle of this. Try again; the next query opens another. (${reasonOf(error)})`,
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
