import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { oneLine } from '../answers/one-line.ts';

/** open_toolbox gives more. */
const MAX_INSTRUCTION_CHARS = 300;

const Server = z.object({
  name: z.string(),
  state: z.enum(['idle', 'connecting', 'ready', 'restarting', 'failed']),
  toolCount: z.number().optional(),
  leftOut: z.number().optional(),
  error: z.string().optional(),
  instructions: z.string().optional(),
});

export const listToolboxes = defineTool({
  name: 'list_toolboxes',
  title: 'List toolboxes',
  description:
    'The toolboxes there are: groups of other MCP servers. Gives each one’s description, whether it is open, its servers with state, tool count and last error. Connects to nothing; find_tools looks inside.',
  input: z.object({}),
  output: z.object({
    toolboxes: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        isOpen: z.boolean(),
        servers: z.array(Server),
      }),
    ),
    count: z.number(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call(_input, { host, session }: CallContext) {
    const toolboxes = (await host.toolboxes.list(session)).map(({ servers, ...toolbox }) => ({
      ...toolbox,
      servers: servers.map(({ instructions, ...server }) => ({
        ...server,
        ...(instructions === undefined ? {} : { instructions: oneLine(instructions, MAX_INSTRUCTION_CHARS) }),
      })),
    }));
    return { toolboxes, count: toolboxes.length };
  },
});
