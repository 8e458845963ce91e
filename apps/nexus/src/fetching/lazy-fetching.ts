import { type Fetching, type SecretUsed, type Store, sourceNames } from '@nexus/plugin-sdk';
import { holdSecrets } from '@nexus/untrusted/secrets';
import type { Config } from '../config/schema.ts';
import { version } from '../version.ts';

export interface LazyFetchingOptions {
  readonly config: Config['sources'];
  readonly store: Store;
  readonly dataDir: string;
  /** Hears of each key before it is sent. */
  readonly secretUsed?: SecretUsed | undefined;
}

/** The way out of the machine, whose code is loaded when first asked for: a start costs nothing. */
export function lazyFetching(options: LazyFetchingOptions): Fetching & { close(): Promise<void> } {
  let loading: ReturnType<typeof load> | undefined;
  const loaded = () => {
    loading ??= load(options);
    return loading;
  };
  return {
    source: async (name, request) => (await loaded()).source(name, request),
    url: async (url, request) => (await loaded()).url(url, request),
    kept: async (url) => (await loaded()).kept(url),
    status: async (name) => (await loaded()).status(name),
    async close() {
      await (await loading)?.[Symbol.asyncDispose]();
    },
  };
}

async function load({ config, store, dataDir, secretUsed }: LazyFetchingOptions) {
  const { createFetching } = await import('@nexus/fetching');
  holdSecrets(sourceNames.flatMap((name) => config[name]?.key ?? []));
  const { allowHosts, ...settings } = config;
  return createFetching({
    store,
    dataDir,
    settings,
    allowHosts,
    secretUsed,
    userAgent: `nexus/${version} (MCP server)`,
  });
}
