import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { newDatabase } from './new-database.ts';

export { findPostgres } from './find-postgres.ts';

const PASSWORD = 'pass-of-the-test/@:word';

/** A private Postgres on a Unix socket in a temporary folder, gone after `stop`. */
export interface PostgresServer {
  readonly url: string;
  /** The URL of a new, empty schema: as good as a database of its own, and made far faster. */
  createSchema(): Promise<string>;
  /** A connection as its administrator, for the caller to end. */
  connect(): Promise<pg.Client>;
  /** Ends it at once, as a crash would; connections break. */
  crash(): Promise<void>;
  /** Ends it as an administrator does who waits for nobody: transactions are rolled back, connections closed. */
  shutDown(): Promise<void>;
  /** Begins again after either, with what was committed. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgres(binaries: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-pg-'));
  const user = unprivileged();
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD, { mode: 0o600 });
  if (user.uid !== undefined)
    for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid ?? -1);
  const settings = { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C' } };
  const data = join(folder, 'data');
  const asNexus = ['--username=nexus', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const initdb = ['-D', data, '--no-sync', '--encoding=UTF8', ...asNexus];
  newDatabase(binaries, data, () =>
    execFileSync(join(binaries, 'initdb'), initdb, { ...settings, stdio: 'ignore' }),
  );
  const begin = async () => {
    const options = ['listen_addresses=', 'max_prepared_transactions=4'];
    const settled = ['-D', data, '-k', folder, '-F', ...options.flatMap((option) => ['-c', option])];
    const server = spawn(join(binaries, 'postgres'), settled, {
      ...settings,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(server, 'exit');
    await untilReady(server.stderr);
    return {
      async end(signal: 'SIGINT' | 'SIGQUIT') {
        server.kill(signal);
        await exited;
      },
    };
  };
  const minder = endsWithThisProcess(folder, settings);
  let running = await begin();
  const url = `postgres://nexus:${encodeURIComponent(PASSWORD)}@localhost/postgres?host=${encodeURIComponent(folder)}`;
  const connect = async () => {
    const client = new pg.Client(url);
    await client.connect();
    return client;
  };
  return {
    url,
    connect,
    async createSchema() {
      const name = `t${randomUUID().replaceAll('-', '')}`;
      const client = await connect();
      await client.query(`create schema ${name}`);
      await client.end();
      return `${url}&options=${encodeURIComponent(`-c search_path=${name}`)}`;
    },
    crash: () => running.end('SIGQUIT'), // Postgres calls this an immediate shutdown
    shutDown: () => running.end('SIGINT'), // and this a fast one
    async restart() {
      running = await begin();
    },
    async stop() {
      await running.end('SIGINT'); // a fast shutdown
      rmSync(folder, { recursive: true, force: true });
      minder.end();
    },
  };
}

/**
 * Ends the server in a folder, and takes the folder away, once the other end of its input is gone: whatever ends the
 * process of the tests, and whichever of their hooks it skips.
 */
const MINDER = `
read -r _
pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) || pid=
[ -n "$pid" ] && kill -INT "$pid" 2>/dev/null
left=100
while [ -n "$pid" ] && [ "$left" -gt 0 ] && kill -0 "$pid" 2>/dev/null; do left=$((left - 1)); sleep 0.1; done
rm -rf "$1"
`;

function endsWithThisProcess(folder: string, as: { uid?: number; gid?: number }): { end(): void } {
  const { uid, gid } = as;
  const minder = spawn('/bin/sh', ['-c', MINDER, 'sh', folder], {
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
    cwd: '/',
    // Ctrl-C at a terminal is not for it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  minder.unref();
  return { end: () => minder.stdin.end() };
}

/** Postgres refuses to run as root. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function untilReady(stderr: NodeJS.ReadableStream): Promise<void> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: stderr })) {
    lines.push(line);
    if (!line.includes('ready to accept connections')) continue;
    stderr.resume(); // an unread pipe would stop the server
    return;
  }
  throw new Error(`postgres did not start:\n${lines.join('\n')}`);
}
