import type { AnyPlugin } from '@nexus/plugin-sdk';
import { listRuns } from './list-runs.ts';
import type { ListedPlugin } from './plugin-listing.ts';

/** A plugin of the user's: its module is loaded, since it may be another one at each start. */
export function importedPlugin(definition: AnyPlugin): ListedPlugin {
  return {
    name: definition.name,
    runs: listRuns(definition),
    tools: [],
    retention: definition.retention ?? [],
    leaves: definition.leaves,
    resources: [],
    resourceTemplates: [],
    prompts: [],
    definition,
    load: async () => definition,
  };
}
