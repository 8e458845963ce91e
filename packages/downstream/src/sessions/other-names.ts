import type { RegisteredTool, ToolListing } from '@nexus/core';
import type { OfferedTool } from '../catalogue/offered-tool.ts';
import { withOrigin } from '../definitions/origin-name.ts';
import { hashedName, type RegisteredName, registeredNames } from '../definitions/registered-names.ts';
import { renamed } from '../definitions/renamed.ts';

type Offered = Pick<OfferedTool, 'catalogued' | 'registered'>;

/**
 * A tool as it may be registered, for a session that has another by its name: under its own, under that with a prefix,
 * and under one with a hash of its address, since `a__b`/`c` and `a`/`b__c` have the same prefix.
 */
export function underItsNames(toolbox: string, { catalogued, registered }: Offered): RegisteredTool[] {
  const origin = { server: catalogued.server, name: catalogued.tool };
  const prefixed = registeredNames({ name: toolbox, prefix: true }, [origin]).names.get(origin);
  const others = [...(prefixed ? [prefixed] : []), hashedName(toolbox, origin)];
  return [
    registered,
    ...others
      .filter((name) => name.registered !== registered.name)
      .map((name) => namedOtherwise(registered, name)),
  ];
}

/** Whether it is that tool, by whichever name. */
export function isSameTool(tool: RegisteredTool | undefined, { registered }: Offered): boolean {
  return tool?.plugin === registered.plugin && tool.origin === registered.origin;
}

function namedOtherwise(tool: RegisteredTool, { registered: name, full }: RegisteredName): RegisteredTool {
  // Only the name is another, and what was sound stays so.
  const listing = renamed(tool.listing, name, full) as ToolListing;
  return {
    ...tool,
    name,
    listing: tool.origin === undefined ? listing : withOrigin(listing, tool.origin),
  };
}
