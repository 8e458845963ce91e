import type { CataloguedTool } from '@nexus/plugin-sdk';

const hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

/** A tool as a catalogue has it; by default its toolbox is named as its server. */
export function catalogued(
  server: string,
  definition: Readonly<Record<string, unknown>> & { readonly name: string },
  toolbox = server,
): CataloguedTool {
  const { name } = definition;
  return { toolbox, server, tool: name, registeredName: `${toolbox}__${server}__${name}`, definition, hints };
}
