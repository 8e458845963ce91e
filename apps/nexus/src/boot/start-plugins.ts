import type { Host, Log } from '@nexus/plugin-sdk';
import { ToolError } from '@nexus/plugin-sdk';
import type { ListedPlugin } from '../plugins/plugin-listing.ts';
import { optionsOf } from '../plugins/plugin-options.ts';
import { createEndings } from './endings.ts';

/** Starts plugins when they are asked for, and stops those that were. */
export interface PluginStarts {
  /** The plugin's state; the first to ask starts it, and a start that failed is tried again by the next. */
  stateOf(plugin: ListedPlugin): () => Promise<unknown>;
  /** Side by side, each whatever becomes of the others; one that is starting still, once it has started. */
  stop(): Promise<void>;
}

export function pluginStarts(
  configured: Readonly<Record<string, unknown>>,
  { host, log }: { readonly host: () => Host; readonly log: Log },
): PluginStarts {
  const begun = new Map<string, Promise<() => Promise<void>>>();

  async function start(plugin: ListedPlugin) {
    const services = host();
    if (services.signal.aborted) {
      throw new ToolError('NEXUS_SHUTTING_DOWN', `Plugin "${plugin.name}" is not started: the server stops.`);
    }
    const [definition, options] = await Promise.all([plugin.load(), optionsOf(plugin, configured)]);
    const state: unknown = await definition.start(options, services);
    return { state, stop: () => definition.stop(state) };
  }

  return {
    stateOf(plugin) {
      let state: Promise<unknown> | undefined;
      const begin = () => {
        const starting = start(plugin);
        begun.set(
          plugin.name,
          starting.then(({ stop }) => stop),
        );
        state = starting.then((started) => started.state);
        starting.catch(() => {
          begun.delete(plugin.name);
          state = undefined;
        });
        return state;
      };
      return () => state ?? begin();
    },
    async stop() {
      await Promise.all(
        [...begun].map(async ([name, starting]) => {
          const stop = await starting.catch(() => undefined);
          const ending = createEndings(log);
          if (stop) ending.add(`plugin "${name}"`, stop);
          await ending.run();
        }),
      );
    },
  };
}
