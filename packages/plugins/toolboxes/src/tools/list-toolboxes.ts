import {
  answerRoom,
  type CallContext,
  defineTool,
  fittingTwice,
  jsonLength,
  nextPage,
} from '@nexus/plugin-sdk';
import { z } from 'zod';
import { cut } from '../answers/cut.ts';
import { fitItems } from '../answers/fit-items.ts';
import { oneLine } from '../answers/one-line.ts';

/** open_toolbox gives more. */
const MAX_INSTRUCTION_CHARS = 300;
/** No answer holds more. */
const PAGE = 300;
/** Of an answer. */
const ITEM_SHARE = 0.8;

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
    'Toolboxes, groups of other MCP servers: each one’s description, whether it is open, its servers with state, tool count, last error. Connects to nothing; find_tools looks inside.',
  input: z.object({ offset: z.int().min(0).max(100_000).default(0).describe('To skip.') }),
  output: z.object({
    toolboxes: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        isOpen: z.boolean(),
        servers: z.array(Server),
        serverCount: z.int().optional().describe('Where no answer holds all servers: how many there are.'),
        whole: z.string().optional().describe('All of it, by read_result.'),
      }),
    ),
    count: z.number(),
    nextOffset: z.int().optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ offset }, context: CallContext) {
    const { host, session } = context;
    const all = await host.toolboxes.list(session);
    const page = all.slice(offset, offset + PAGE).map((each) => shown(each, context));
    const toolboxes = fittingTwice(await Promise.all(page), host.results);
    return { toolboxes, count: all.length, ...nextPage(offset, toolboxes.length, all.length) };
  },
});

type Toolbox = Awaited<ReturnType<CallContext['host']['toolboxes']['list']>>[number];

function described({ instructions, ...server }: Toolbox['servers'][number]) {
  return {
    ...server,
    ...(instructions === undefined ? {} : { instructions: oneLine(instructions, MAX_INSTRUCTION_CHARS) }),
  };
}

/** One that no answer holds has its first servers, and is kept whole. */
async function shown(given: Toolbox, context: CallContext) {
  const toolbox = { ...given, servers: given.servers.map(described) };
  const { results } = context.host;
  const room = ITEM_SHARE * answerRoom(results);
  if (2 * jsonLength(toolbox) <= room) return toolbox;
  const { servers, description } = toolbox;
  const { uri } = await results.keep(
    { text: JSON.stringify(toolbox), mimeType: 'application/json' },
    context,
  );
  const begun = {
    ...toolbox,
    description: cut(description, room / 8),
    serverCount: servers.length,
    whole: uri,
  };
  const left = room / 2 - jsonLength({ ...begun, servers: [] });
  const first = fitItems(servers, left);
  return { ...begun, servers: jsonLength(first) <= left ? first : [] };
}
