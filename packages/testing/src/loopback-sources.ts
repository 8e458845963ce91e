import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFetching, type FetchingParts } from '@nexus/fetching';
import { type Fetching, type SourceName, type Store, sourceNames } from '@nexus/plugin-sdk';

/** What was asked of one of the sources, or for a page beside them. */
export interface SeenRequest {
  /** Undefined for a page. */
  readonly source: SourceName | undefined;
  /** Below the source's base URL, as it was sent. */
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
}

export interface LoopbackSources extends AsyncDisposable {
  /** Of pages that are no source's; they may be fetched. */
  readonly url: string;
  /** Oldest first. */
  readonly requests: readonly SeenRequest[];
  /** For `startPlugin`: every source leads here. */
  fetching(store: Store, dataDir: string): Fetching;
}

export interface LoopbackSourcesOptions
  extends Partial<Pick<FetchingParts, 'settings' | 'allowHosts' | 'requestMs'>> {}

/**
 * All sources of the config on one server of this machine, which answers as the test says, by the real way out of
 * the machine. `testClock: patientClock()` of `startPlugin` lets no test wait for a source's turn.
 */
export async function loopbackSources(
  answer: (request: SeenRequest, response: ServerResponse) => void,
  { settings = {}, allowHosts = [], requestMs }: LoopbackSourcesOptions = {},
): Promise<LoopbackSources> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const [, first = ''] = (request.url ?? '').split(/[/?]/, 2);
    const source = sourceNames.find((name) => name === first);
    const below = source === undefined ? request.url : request.url?.slice(source.length + 1);
    const seen = { source, url: new URL(below ?? '/', 'http://source'), headers: request.headers };
    requests.push(seen);
    answer(seen, response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const made: AsyncDisposable[] = [];
  return {
    url,
    requests,
    fetching(store, dataDir) {
      const all = sourceNames.map((name) => [name, { baseUrl: `${url}/${name}`, ...settings[name] }]);
      const fetching = createFetching({
        store,
        dataDir,
        settings: Object.fromEntries(all),
        allowHosts,
        userAgent: 'nexus-test',
        ...(requestMs === undefined ? {} : { requestMs }),
      });
      made.push(fetching);
      return fetching;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(made.map((each) => each[Symbol.asyncDispose]()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A clock of the store that goes on by ten seconds at each look. */
export function patientClock(): () => number {
  let now = 1_800_000_000_000;
  return () => {
    now += 10_000;
    return now;
  };
}
