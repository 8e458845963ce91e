import type { ToolSummary } from '@nexus/plugin-sdk';
import { mayRunTwice } from './may-run-twice.ts';
import type { RegisteredTool } from './registered-tool.ts';

/** A tool as other tools and prompts see it. */
export function toolSummary(tool: RegisteredTool): ToolSummary {
  const { name, origin = name, listing, hints } = tool;
  const { title = name, description = '', inputSchema } = listing;
  return {
    name,
    origin,
    title,
    description,
    annotations: hints,
    isRepeatable: mayRunTwice(tool),
    inputSchema,
  };
}
