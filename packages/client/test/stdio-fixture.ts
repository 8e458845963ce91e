import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createWatchdog } from '@nexus/processes';
import { type CollectedLine, collectLog } from '@nexus/testing';
import { jsonLinesChannel } from '@nexus/transports/json-lines';
import { type Connection, type ConnectOptions, connectServer } from '../src/index.ts';
import type { ConnectionSettings } from '../src/settings.ts';

const program = fileURLToPath(new URL('./fixtures/server.mjs', import.meta.url));

/** The fixture server in one of its modes. */
export function stdioSettings(mode = 'plain', given: Partial<ConnectionSettings> = {}): ConnectionSettings {
  return {
    transport: 'stdio',
    command: process.execPath,
    args: [program, mode],
    env: {},
    headers: {},
    ...given,
  };
}

export interface Opened extends AsyncDisposable {
  readonly connection: Connection;
  readonly heard: readonly { readonly method: string; readonly params: Readonly<Record<string, unknown>> }[];
  readonly lines: readonly CollectedLine[];
}

const watchdog = createWatchdog();

/** Connects as the app does; nothing answers the server's requests unless the options say so. */
export async function open(
  settings: ConnectionSettings,
  given: Partial<ConnectOptions> = {},
): Promise<Opened> {
  const heard: { method: string; params: Readonly<Record<string, unknown>> }[] = [];
  const { log, lines } = collectLog();
  const connection = await connectServer(settings, {
    serverName: 'fixture',
    clientInfo: { name: 'nexus-test', version: '1' },
    listener: {
      notification: (method, params) => void heard.push({ method, params }),
      request: () => Promise.reject(new Error('nobody asked')),
    },
    log,
    projectRoot: tmpdir(),
    openLines: jsonLinesChannel,
    watchdog,
    authFolder: join(tmpdir(), 'nexus-test-no-auth'),
    ...given,
  });
  return { connection, heard, lines, [Symbol.asyncDispose]: () => connection.close() };
}
