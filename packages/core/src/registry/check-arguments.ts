import { isToolError, type ToolCaller } from '@nexus/plugin-sdk';
import { argumentFaults } from './invalid-arguments.ts';
import type { RegisteredTool } from './registered-tool.ts';
import { validateCall } from './validate-call.ts';

/** What would have a call with these arguments refused; the tool is loaded by then. */
export function checkArguments(
  tool: RegisteredTool,
  args: Readonly<Record<string, unknown>>,
): Awaited<ReturnType<ToolCaller['check']>> {
  try {
    validateCall(tool, { arguments: args, source: 'arguments' });
    return [];
  } catch (error) {
    if (!isToolError(error)) throw error;
    const validated = tool.validate(args);
    return validated.ok ? [] : argumentFaults(tool.listing, args, validated.issues, tool.aliases);
  }
}
