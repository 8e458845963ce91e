import { isRecord } from '@nexus/core/json-type';
import { ownSections } from '../config/default-config.ts';
import type { RawConfig } from '../config/raw-config.ts';
import type { ListedPlugin } from '../plugins/plugin-listing.ts';

/**
 * Those whose schemas it takes to check the config: it has a section of theirs, or arguments for one of their
 * tools. Of the others the config says nothing that could be wrong.
 */
export function mentionedPlugins(raw: RawConfig, plugins: readonly ListedPlugin[]): ReadonlySet<string> {
  const withArguments = new Set(
    entriesOf(raw.tools).flatMap(([name, settings]) =>
      isRecord(settings) && settings.defaults !== undefined ? [name] : [],
    ),
  );
  // The block's own names for tools and settings are read later; what it speaks of is few.
  const isAnyTool = raw.mcp !== undefined;
  const mentioned = plugins.filter(
    ({ name, tools }) =>
      // One that has the name of a section of Nexus' own has no options.
      (Object.hasOwn(raw, name) && !ownSections.includes(name)) ||
      tools.some((tool) => isAnyTool || withArguments.has(tool.name)),
  );
  return new Set(mentioned.map(({ name }) => name));
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}
