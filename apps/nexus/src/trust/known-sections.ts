import { ownSections } from '../config/default-config.ts';
import type { RawConfig } from '../config/raw-config.ts';
import { bundled } from '../plugins/bundled.ts';

/** Whether Nexus or a plugin that comes with it knows the section; others may be options of the config's plugins. */
export function isSection(section: string): boolean {
  return section === 'mcp' || ownSections.includes(section) || bundled.some(({ name }) => name === section);
}

export function hasPlugins({ plugins }: RawConfig): boolean {
  return Array.isArray(plugins) && plugins.length > 0;
}
