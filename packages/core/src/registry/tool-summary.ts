import type { ToolSummary } from '@nexus/plugin-sdk';
import type { RegisteredTool } from './registered-tool.ts';

/** A tool as other tools and prompts see it. */
export function toolSummary({ name, listing, hints }: RegisteredTool): ToolSummary {
  const { title = name, description = '' } = listing;
  return { name, title, description, annotations: hints, inputSchema: listing.inputSchema };
}
