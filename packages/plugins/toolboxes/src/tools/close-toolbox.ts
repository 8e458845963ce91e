import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';

export const closeToolbox = defineTool({
  name: 'close_toolbox',
  title: 'Close toolbox',
  description: 'Take a toolbox’s tools from this session; servers that no other session uses end.',
  input: z.object({ toolbox: z.string().max(200).describe('Its name.') }),
  output: z.object({ toolbox: z.string(), tools_removed: z.number().describe('0 where it was not open.') }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ toolbox }, context: CallContext) {
    return { toolbox, tools_removed: await context.host.toolboxes.close(toolbox, context) };
  },
});
