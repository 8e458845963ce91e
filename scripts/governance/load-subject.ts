import { ConfigSchema } from '../../apps/nexus/src/config/schema.ts';
import { bundledPlugins } from '../../apps/nexus/src/plugins/bundled-plugins.ts';
import { openWorkspace } from '../workspace/open-workspace.ts';
import type { Subject } from './check.ts';

/** What checks look at in this repository. Importing the plugins starts nothing. */
export function loadSubject(): Subject {
  return { workspace: openWorkspace(), plugins: bundledPlugins, configSchema: ConfigSchema };
}
