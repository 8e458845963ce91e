import type { ToolListing } from '@nexus/core';
import { toListing } from '@nexus/core/definitions';
import type { AnyPlugin, AnyTool } from '@nexus/plugin-sdk';

/** A tool that ships, with what a client sees of it. */
export interface ListedTool {
  readonly plugin: string;
  readonly tool: AnyTool;
  readonly listing: ToolListing;
}

export function listedTools(plugins: readonly AnyPlugin[]): ListedTool[] {
  return plugins
    .flatMap((plugin) =>
      plugin.tools.map((tool) => ({ plugin: plugin.name, tool, listing: toListing(tool) })),
    )
    .sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
}
