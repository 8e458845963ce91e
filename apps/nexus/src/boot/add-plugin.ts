import { lazyTool, type PluginRuntime, type RegisteredTool, type Registry } from '@nexus/core';
import type { Catalogue } from '@nexus/server';
import type { Config } from '../config/schema.ts';
import type { ListedPlugin } from '../plugins/plugin-listing.ts';
import { configureTool } from './configure-tool.ts';
import { lazyDefinitions } from './lazy-definitions.ts';

interface Into {
  readonly registry: Registry;
  readonly catalogue: Catalogue;
  readonly config: Config;
}

/**
 * Offers what a plugin lists. One whose module is loaded anyway is started now, with its own definitions; of
 * any other, module and state are made by the first call.
 * @throws {RegistrationError} when a tool breaks the contract
 */
export async function addPlugin(plugin: ListedPlugin, runtime: PluginRuntime, into: Into): Promise<void> {
  const { registry, catalogue, config } = into;
  for (const tool of await toolsOf(plugin, runtime)) {
    const settings = config.tools[tool.name];
    if (settings?.enabled === false) {
      registry.withhold(tool.name, `it is disabled by tools.${tool.name}.enabled in the config`);
      continue;
    }
    registry.register(configureTool(tool, settings));
    runtime.host.log.debug(`Registered tool: ${tool.name}`, { plugin: plugin.name });
  }
  catalogue.addPlugin(plugin.definition ?? lazyDefinitions(plugin), runtime);
  if (plugin.definition) await runtime.state();
}

async function toolsOf(plugin: ListedPlugin, runtime: PluginRuntime): Promise<RegisteredTool[]> {
  // Loaded here, with the zod behind it, since most starts make no tool.
  const definitions = () => import('@nexus/core/definitions');
  if (plugin.definition) {
    const { pluginTool } = await definitions();
    return plugin.definition.tools.map((tool) => pluginTool(tool, runtime));
  }
  return plugin.tools.map((listed) =>
    lazyTool(listed, plugin.name, async () => {
      const [{ pluginTool }, { tools }] = await Promise.all([definitions(), plugin.load()]);
      const tool = tools.find(({ name }) => name === listed.name);
      if (!tool) throw new Error(`plugin "${plugin.name}" no longer has ${listed.name}; build again`);
      return pluginTool(tool, runtime);
    }),
  );
}
