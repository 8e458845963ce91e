import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Place } from './places.ts';

export const bin = fileURLToPath(new URL('../../apps/nexus/bin/nexus.js', import.meta.url));

/** A host as people have one: the official client, with a process of Nexus that it starts again when it ends. */
export interface Host {
  readonly name: string;
  readonly place: Place;
  /** Of its process now; undefined while there is none. */
  readonly pid: number | undefined;
  /** Connected; waits for it, for as long as the host lives. */
  client(): Promise<Client>;
  close(): Promise<void>;
}

const AGAIN_MS = 200;
const GONE_MS = 30_000;

export function openHost(name: string, place: Place, logs: string): Host {
  const log = createWriteStream(join(logs, `${name}.log`), { flags: 'a' });
  let isClosed = false;
  let transport: StdioClientTransport | undefined;
  let connected: Promise<Client> | undefined;

  async function connect(): Promise<Client> {
    for (;;) {
      if (isClosed) throw new Error(`${name} is closed`);
      const client = new Client({ name: 'chaos', version: '1' });
      const own = new StdioClientTransport({
        command: process.execPath,
        args: [bin, '--mode=server'],
        cwd: place.root,
        env: { ...place.env },
        stderr: 'pipe',
      });
      transport = own;
      own.stderr?.pipe(log, { end: false });
      client.onclose = () => {
        if (transport === own) connected = undefined;
      };
      try {
        // The SDK's own types do not agree under exactOptionalPropertyTypes.
        await client.connect(own as Parameters<Client['connect']>[0]);
        return client;
      } catch {
        await own.close().catch(() => {});
        await sleep(AGAIN_MS);
      }
    }
  }

  return {
    name,
    place,
    get pid() {
      return transport?.pid ?? undefined;
    },
    client: () => (connected ??= connect()),
    async close() {
      isClosed = true;
      const client = await connected?.catch(() => undefined);
      const { pid } = transport ?? {};
      await client?.close().catch(() => {});
      // It is told to end, and killed at last: what it still writes must not come after its folder is gone.
      if (pid) await gone(pid);
      log.end();
    },
  };
}

async function gone(pid: number): Promise<void> {
  for (const until = performance.now() + GONE_MS; performance.now() < until; await sleep(50)) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
  }
}
