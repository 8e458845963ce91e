import type { CallContext, CataloguedTool } from '@nexus/plugin-sdk';
import type { JsonObject } from './json-object.ts';

/** What results looked like so far, by tools whose servers do not say it. */
export async function seenShapes(
  tools: readonly CataloguedTool[],
  { host, user }: Pick<CallContext, 'host' | 'user'>,
): Promise<ReadonlyMap<CataloguedTool, JsonObject>> {
  const shapes = await host.toolboxes.shapes(tools, { user });
  return new Map(
    tools.flatMap((tool, at) => {
      const shape = shapes[at];
      return shape ? [[tool, shape] as const] : [];
    }),
  );
}
