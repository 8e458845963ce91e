import type { RegisteredTool, ToolListing } from '@nexus/core';
import type { OfferedTool } from '../catalogue/offered-tool.ts';
import { withOrigin } from '../definitions/origin-name.ts';
import { registeredNames } from '../definitions/registered-names.ts';
import { renamed } from '../definitions/renamed.ts';

/** The tool under its name with a prefix, for a session that has another by its own. */
export function prefixedTool(
  toolbox: string,
  { catalogued, registered }: Pick<OfferedTool, 'catalogued' | 'registered'>,
  tool: RegisteredTool = registered,
): RegisteredTool {
  const origin = { server: catalogued.server, name: catalogued.tool };
  const name = registeredNames({ name: toolbox, prefix: true }, [origin]).names.get(origin);
  if (!name) return tool;
  const listing = renamed(tool.listing, name.registered, name.full);
  // Only the name is another, and what was sound stays so.
  const sound = listing as ToolListing;
  return {
    ...tool,
    name: name.registered,
    listing: tool.origin === undefined ? sound : withOrigin(sound, tool.origin),
  };
}
