import type { ListedTool } from '@nexus/core';
import { listTool } from '@nexus/core/definitions';
import type {
  AnyPlugin,
  PromptArgument,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  Retention,
  RunKindName,
} from '@nexus/plugin-sdk';
import { listRuns } from './list-runs.ts';

type Completing<Definition extends { complete?: unknown }> = Omit<Definition, 'complete' | 'read'> & {
  readonly completes: boolean;
};

/** All that a plugin lists: plain data, which is written down when Nexus is built. */
export interface PluginListing {
  readonly name: string;
  /** Its kinds of durable runs: by their names a server finds runs to go on with. */
  readonly runs: readonly RunKindName[];
  /** How long the rows of its tables stay. */
  readonly retention: readonly Retention[];
  /** The folder in the data directory that its work leaves something in when that is cut off. */
  readonly leaves?: string | undefined;
  readonly tools: readonly ListedTool[];
  readonly resources: readonly Omit<ResourceDefinition, 'read'>[];
  readonly resourceTemplates: readonly Completing<ResourceTemplateDefinition>[];
  readonly prompts: readonly (Omit<PromptDefinition, 'render' | 'arguments'> & {
    readonly arguments: readonly Completing<PromptArgument>[];
  })[];
}

/** A plugin as far as it is known before its module is loaded. */
export interface ListedPlugin extends PluginListing {
  /** Its definition where that is loaded anyway: then it starts with the server, else with its first call. */
  readonly definition?: AnyPlugin;
  load(): Promise<AnyPlugin>;
}

export function listPlugin(plugin: AnyPlugin): PluginListing {
  return {
    name: plugin.name,
    runs: listRuns(plugin),
    retention: plugin.retention ?? [],
    ...(plugin.leaves === undefined ? {} : { leaves: plugin.leaves }),
    tools: plugin.tools.map(listTool),
    resources: (plugin.resources ?? []).map(({ read: _, ...rest }) => rest),
    resourceTemplates: (plugin.resourceTemplates ?? []).map(({ read: _, ...rest }) => completing(rest)),
    prompts: (plugin.prompts ?? []).map(({ render: _, arguments: declared, ...rest }) => ({
      ...rest,
      arguments: declared.map(completing),
    })),
  };
}

function completing<Definition extends { complete?: unknown }>({
  complete,
  ...rest
}: Definition): Omit<Definition, 'complete'> & { readonly completes: boolean } {
  return { ...rest, completes: complete !== undefined };
}
