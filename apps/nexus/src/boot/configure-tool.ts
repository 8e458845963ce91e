import type { RegisteredTool } from '@nexus/core';
import type { Config } from '../config/schema.ts';

type ToolSettings = Config['tools'][string];

/** A tool with the config's `defaults`: used where a call leaves them out, and stated in its schema. */
export function configureTool(tool: RegisteredTool, settings: ToolSettings | undefined): RegisteredTool {
  const defaults = settings?.defaults ?? {};
  if (Object.keys(defaults).length === 0) return tool;
  const { inputSchema } = tool.listing;
  const properties = inputSchema.properties as Record<string, object>;
  const required = (inputSchema.required as string[] | undefined)?.filter((key) => !(key in defaults));
  const stated = Object.entries(defaults).map(([key, value]) => [
    key,
    { ...properties[key], default: value },
  ]);
  const listing = {
    ...tool.listing,
    inputSchema: {
      ...inputSchema,
      properties: { ...properties, ...Object.fromEntries(stated) },
      ...(required === undefined ? {} : { required }),
    },
  };
  return { ...tool, listing, validate: (args) => tool.validate({ ...defaults, ...args }) };
}
