import type { Log, Models, SecretUsed, Spans, Store } from '@nexus/plugin-sdk';
import { environmentSecrets, holdSecrets } from '@nexus/untrusted/secrets';
import { findProgram } from '../config/find-program.ts';
import type { Config } from '../config/schema.ts';
import { providerSettings } from './provider-settings.ts';

export interface LazyModelsOptions {
  readonly config: Config['models'];
  readonly store: Store;
  readonly log: Log;
  readonly projectRoot: string;
  /** Where calls tell how they went; by default nowhere. */
  readonly spans?: Spans | undefined;
  /** Hears of each key before it is sent. */
  readonly secretUsed?: SecretUsed | undefined;
  /** Hears of each call on record. */
  readonly recorded: () => void;
}

interface LoadedModels {
  readonly models: Models;
  close(): Promise<void>;
}

/** Models that are looked for, and whose code is loaded, when first asked for: a start costs nothing. */
export function lazyModels(options: LazyModelsOptions): Models & { close(): Promise<void> } {
  let loading: Promise<LoadedModels> | undefined;
  const load = async () => {
    loading ??= loadModels(options);
    return (await loading).models;
  };
  return {
    list: async (caller) => (await load()).list(caller),
    generate: async (request, caller) => (await load()).generate(request, caller),
    object: async (request, caller) => (await load()).object(request, caller),
    converse: async (request, caller) => (await load()).converse(request, caller),
    route: async (request, caller) => (await load()).route(request, caller),
    lookUp: async (model, caller) => (await load()).lookUp(model, caller),
    outcomes: async (query) => (await load()).outcomes(query),
    judge: async (work) => (await load()).judge(work),
    async close() {
      await (await loading)?.close();
    },
  };
}

async function loadModels({
  config,
  store,
  log,
  projectRoot,
  spans,
  secretUsed,
  recorded,
}: LazyModelsOptions): Promise<LoadedModels> {
  const [{ createModels }, { createWatchdog }] = await Promise.all([
    import('@nexus/models'),
    import('@nexus/processes'),
  ]);
  const { providers, models, ...settings } = config;
  const keys = Object.values(providers).flatMap(({ apiKey }) => apiKey ?? []);
  holdSecrets([...keys, ...environmentSecrets(process.env)]);
  // Its shell starts with the first program.
  const watchdog = createWatchdog();
  const created = createModels({
    settings: {
      ...settings,
      overrides: models,
      providers: providerSettings(providers),
    },
    store,
    spans,
    log,
    recorded,
    secretUsed,
    environment: process.env,
    findProgram: (command) => findProgram(command, { cwd: projectRoot, env: process.env }),
    processes: watchdog,
  });
  return {
    models: created,
    async close() {
      watchdog.close();
      await created.flush();
    },
  };
}
