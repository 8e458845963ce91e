import bus from '@nexus/plugin-bus';
import code from '@nexus/plugin-code';
import consensus from '@nexus/plugin-consensus';
import experts from '@nexus/plugin-experts';
import feeds from '@nexus/plugin-feeds';
import github from '@nexus/plugin-github';
import memory from '@nexus/plugin-memory';
import observability from '@nexus/plugin-observability';
import research from '@nexus/plugin-research';
import type { AnyPlugin } from '@nexus/plugin-sdk';
import toolboxes from '@nexus/plugin-toolboxes';
import workflows from '@nexus/plugin-workflows';

/** The plugins that come with Nexus. Importing them starts nothing. */
export const bundledPlugins: readonly AnyPlugin[] = [
  bus,
  code,
  consensus,
  experts,
  feeds,
  github,
  memory,
  observability,
  research,
  toolboxes,
  workflows,
];
