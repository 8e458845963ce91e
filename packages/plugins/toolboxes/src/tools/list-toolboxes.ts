import {
  answerRoom,
  type CallContext,
  defineTool,
  fittingTwice,
  jsonLength,
  nextPage,
} from '@nexus/plugin-sdk';
import { cutEndCounted, UNKEPT } from '@nexus/primitives';
import { z } from 'zod';
import { cut } from '../answers/cut.ts';
import { fitItems } from '../answers/fit-items.ts';
import { ofTheirServers } from '../answers/of-their-servers.ts';

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
    whose: z.string().optional().describe('Where a server sounds like Nexus: who speaks.'),
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
  // A server's instructions, and the last lines of its log, are its own words. Which servers there are, find_tools and
  // the list of tools say, too, and what a toolbox is for was written to be told to models.
  label: { trust: 'untrusted', privacy: 'public' },
  budget: 'interactive',
  async call({ offset }, context: CallContext) {
    const { host, session } = context;
    const all = await host.toolboxes.names();
    const named = all.slice(offset, offset + PAGE).map(({ name }) => name);
    const page = (await host.toolboxes.list(named, session)).map(withServers);
    const rows = page.map((each) => shown(each, UNKEPT, host.results));
    const most = fittingTwice(rows, host.results).length;
    const toolboxes = await Promise.all(page.slice(0, most).map((each) => kept(each, context)));
    const said = ofTheirServers(toolboxes.map(({ servers }) => servers));
    return { ...said, toolboxes, count: all.length, ...nextPage(offset, toolboxes.length, all.length) };
  },
});

type Results = CallContext['host']['results'];
type Summary = Awaited<ReturnType<CallContext['host']['toolboxes']['list']>>[number];

function described({ instructions, ...server }: Summary['servers'][number]) {
  return {
    ...server,
    ...(instructions === undefined ? {} : { instructions: begun(instructions) }),
  };
}

/** On one line; cut before that, so that what is left out is counted as the server wrote it. */
const begun = ({ text, chars }: NonNullable<Summary['servers'][number]['instructions']>) =>
  cutEndCounted(text, MAX_INSTRUCTION_CHARS, chars).replace(/\s+/g, ' ').trim();

const withServers = (summary: Summary) => ({ ...summary, servers: summary.servers.map(described) });

type Toolbox = ReturnType<typeof withServers>;

/** One that no answer holds has its first servers, and where all of it is. */
function shown(toolbox: Toolbox, uri: string, results: Results) {
  if (hasRoom(toolbox, results)) return toolbox;
  const { servers, description } = toolbox;
  const room = roomOf(results);
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

/** Only what this page names is kept: each is a file, which lasts a day. */
async function kept(toolbox: Toolbox, context: CallContext) {
  const { results } = context.host;
  if (hasRoom(toolbox, results)) return toolbox;
  const text = JSON.stringify(toolbox);
  const { uri } = await results.keep({ text, mimeType: 'application/json' }, context);
  return shown(toolbox, uri, results);
}

function hasRoom(toolbox: Toolbox, results: Results): boolean {
  return 2 * jsonLength(toolbox) <= roomOf(results);
}

function roomOf(results: Results): number {
  return ITEM_SHARE * answerRoom(results);
}
