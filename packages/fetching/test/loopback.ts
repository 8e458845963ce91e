import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStore } from '@nexus/store';
import { createFetching, type FetchingParts } from '../src/index.ts';

export interface Loopback extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** What was asked for, in order. */
  readonly requests: IncomingMessage[];
}

/** A server on this machine that ends with the test. */
export async function loopback(
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void,
): Promise<Loopback> {
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    answer(request, response, requests.length);
  };
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Fetching with a state of its own. Names lead where `names` says, and nowhere else. */
export function fetchingUnderTest(
  parts: Partial<FetchingParts> & { readonly names?: Readonly<Record<string, string>> } = {},
) {
  const { names = {}, ...given } = parts;
  const dataDir = mkdtempSync(join(tmpdir(), 'nexus-fetching-'));
  const store = createStore({ projectId: 'test', dataDir });
  const fetching = createFetching({
    store,
    dataDir,
    settings: {},
    allowHosts: [],
    userAgent: 'nexus-test',
    resolve: async (hostname) => {
      const address = names[hostname];
      if (address === undefined) throw Object.assign(new Error(`no ${hostname}`), { code: 'ENOTFOUND' });
      return [{ address, family: address.includes(':') ? 6 : 4 }];
    },
    ...given,
  });
  return {
    fetching,
    dataDir,
    store,
    async [Symbol.asyncDispose]() {
      await fetching[Symbol.asyncDispose]();
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
