import { createWatchdog, endGroup, type Watchdog } from '@nexus/downstream';
import type { Log, Models, Store } from '@nexus/plugin-sdk';
import type { Config } from '../config/schema.ts';
import { findProgram } from '../doctor/find-program.ts';

export interface LazyModelsOptions {
  readonly config: Config['models'];
  readonly store: Store;
  readonly log: Log;
  readonly projectRoot: string;
}

/** Models that are looked for, and whose code is loaded, when first asked for: a start costs nothing. */
export function lazyModels(options: LazyModelsOptions): Models & { close(): void } {
  let loading: Promise<Models> | undefined;
  let watchdog: Watchdog | undefined;
  const watch = () => {
    watchdog ??= createWatchdog();
    return watchdog;
  };
  const load = () => {
    loading ??= loadModels(options, watch);
    return loading;
  };
  return {
    list: async (caller) => (await load()).list(caller),
    generate: async (request, caller) => (await load()).generate(request, caller),
    object: async (request, caller) => (await load()).object(request, caller),
    converse: async (request, caller) => (await load()).converse(request, caller),
    route: async (request, caller) => (await load()).route(request, caller),
    outcomes: async (query) => (await load()).outcomes(query),
    close: () => watchdog?.close(),
  };
}

async function loadModels(
  { config, store, log, projectRoot }: LazyModelsOptions,
  watch: () => Watchdog,
): Promise<Models> {
  const { createModels } = await import('@nexus/models');
  const { providers, models, ...settings } = config;
  return createModels({
    settings: {
      ...settings,
      overrides: models,
      providers: Object.fromEntries(
        Object.entries(providers).map(([name, { enabled, ...rest }]) => [
          name,
          { ...rest, isEnabled: enabled },
        ]),
      ),
    },
    store,
    log,
    environment: process.env,
    findProgram: (command) => findProgram(command, { cwd: projectRoot, env: process.env }),
    processes: {
      watch: (groupId) => watch().watch(groupId),
      release: (groupId) => watch().release(groupId),
      end: endGroup,
    },
  });
}
