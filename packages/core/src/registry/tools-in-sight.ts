import { isToolError, type SessionScope, type ToolCaller } from '@nexus/plugin-sdk';
import { argumentFaults } from './invalid-arguments.ts';
import type { Registry } from './registry.ts';
import { toolSummary } from './tool-summary.ts';
import { validateCall } from './validate-call.ts';

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
      await tool.load?.();
      try {
        validateCall(tool, { arguments: args, source: 'arguments' });
        return [];
      } catch (error) {
        if (!isToolError(error)) throw error;
        const validated = tool.validate(args);
        return validated.ok ? [] : argumentFaults(tool.listing, args, validated.issues, tool.aliases);
      }
    },
  };
}
