import type { ListedPlugin } from './plugin-listing.ts';

type Options = Readonly<Record<string, unknown>>;

/** A plugin's options: as the config has them, else the defaults of its own schema. */
export async function optionsOf(plugin: ListedPlugin, configured: Options): Promise<unknown> {
  if (Object.hasOwn(configured, plugin.name)) return configured[plugin.name];
  return (await plugin.load()).options.strict().parse({});
}

/** The sections of all plugins that have one, defaults filled in. */
export async function optionsOfAll(
  plugins: readonly ListedPlugin[],
  { configured, ownSections }: { readonly configured: Options; readonly ownSections: object },
): Promise<Options> {
  const withSection = plugins.filter(({ name }) => !Object.hasOwn(ownSections, name));
  const options = await Promise.all(
    withSection.map(async (plugin) => [plugin.name, await optionsOf(plugin, configured)] as const),
  );
  return Object.fromEntries(options);
}
