import type { PluginRuntime } from '@nexus/core';
import type { AnyPlugin } from '@nexus/plugin-sdk';
import { createPrompts, type Prompts } from './prompts.ts';
import { createResources, type Resources } from './resources.ts';

/** What a session serves beside tools: the resources and prompts of all plugins. */
export interface Catalogue {
  readonly resources: Resources;
  readonly prompts: Prompts;
  /** @throws {RegistrationError} when another plugin has one of its URIs or names */
  addPlugin(
    plugin: Pick<AnyPlugin, 'resources' | 'resourceTemplates' | 'prompts'>,
    runtime: PluginRuntime,
  ): void;
}

export function createCatalogue(): Catalogue {
  const resources = createResources();
  const prompts = createPrompts();
  return {
    resources,
    prompts,
    addPlugin(plugin, runtime) {
      for (const resource of plugin.resources ?? []) resources.add(resource, runtime);
      for (const template of plugin.resourceTemplates ?? []) resources.addTemplate(template, runtime);
      for (const prompt of plugin.prompts ?? []) prompts.add(prompt, runtime);
    },
  };
}
