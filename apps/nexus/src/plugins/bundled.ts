import { selfPlugin } from '../self-plugin/self-plugin.ts';
import { bundledPlugins } from './bundled-plugins.ts';
import { type ListedPlugin, listPlugin, type PluginListing } from './plugin-listing.ts';

/**
 * The plugins that come with Nexus, as they are listed. The build puts a module in the place of this one that
 * has the listings written down and loads each plugin when it is asked for: a start then costs the same
 * however many tools there are.
 */
export const bundled: readonly ListedPlugin[] = bundledPlugins.map((plugin) => ({
  ...listPlugin(plugin),
  load: async () => plugin,
}));

/** Of the plugin by which Nexus speaks of itself. */
export const selfListing: PluginListing = listPlugin(selfPlugin(undefined));
