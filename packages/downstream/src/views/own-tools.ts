import type { Registry } from '@nexus/core';
import { type CataloguedTool, nearestNames, type ToolAddress, ToolError } from '@nexus/plugin-sdk';
import { stableHash } from '@nexus/primitives';

/** The name under which this server's own tools are found: as toolbox and as server. */
const OWN_TOOLBOX = 'nexus';

export function isOwn({ toolbox }: Pick<ToolAddress, 'toolbox'>): boolean {
  return toolbox === OWN_TOOLBOX;
}

/** This server's own tools, as a toolbox has them. */
export function createOwnTools(registry: Registry) {
  let version: string | undefined;
  registry.onChange((session) => {
    if (session === undefined) version = undefined;
  });
  return {
    version() {
      version ??= stableHash(registry.list().map(({ listing }) => listing));
      return version;
    },
    tools: (): CataloguedTool[] =>
      registry.list().map(({ name, listing, hints }) => ({
        toolbox: OWN_TOOLBOX,
        server: OWN_TOOLBOX,
        tool: name,
        registeredName: name,
        definition: listing,
        hints,
      })),
    /** @throws {ToolError} NEXUS_NOT_FOUND */
    reach({ server, tool }: ToolAddress): string {
      if (server === OWN_TOOLBOX && registry.get(tool)) return tool;
      const nearest = nearestNames(
        tool,
        registry.list().map(({ name }) => name),
      );
      const hint = nearest.length > 0 ? `; did you mean ${nearest.join(' or ')}?` : '';
      const text = `Nexus has no tool "${tool}" of server "${server}"; toolbox and server of its own tools are ${OWN_TOOLBOX}${hint}`;
      throw new ToolError('NEXUS_NOT_FOUND', text, { detail: { nearest } });
    },
  };
}

export type OwnTools = ReturnType<typeof createOwnTools>;
