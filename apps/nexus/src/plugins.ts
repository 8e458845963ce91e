import bus from '@nexus/plugin-bus';
import code from '@nexus/plugin-code';
import memory from '@nexus/plugin-memory';
import observability from '@nexus/plugin-observability';
import type { AnyPlugin } from '@nexus/plugin-sdk';
import toolboxes from '@nexus/plugin-toolboxes';

/** The plugins that come with Nexus. Importing them starts nothing. */
export const bundledPlugins: readonly AnyPlugin[] = [bus, code, memory, observability, toolboxes];
