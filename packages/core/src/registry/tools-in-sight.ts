import type { SessionScope, ToolCaller } from '@nexus/plugin-sdk';
import type { Registry } from './registry.ts';
import { toolSummary } from './tool-summary.ts';

/** The tools that a session sees, as other tools see them: all of `ToolCaller` but the call. */
export function toolsInSight(
  registry: Registry,
  session: SessionScope | undefined,
): Pick<ToolCaller, 'list' | 'find' | 'check'> {
  return {
    list: () => registry.list(session).map(toolSummary),
    find(name) {
      const tool = registry.inSight(name, session);
      return tool && toolSummary(tool);
    },
    async check(name, args) {
      const tool = registry.inSight(name, session);
      if (!tool) return [];
      // What it takes to hold arguments to a schema is loaded with the first call: a session begins without.
      const [{ checkArguments }] = await Promise.all([import('./check-arguments.ts'), tool.load?.()]);
      return checkArguments(tool, args);
    },
  };
}
