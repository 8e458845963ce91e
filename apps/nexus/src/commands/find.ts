import { type Client, connectToNexus } from '../client/connect-to-nexus.ts';
import { everyToolbox } from '../client/every-toolbox.ts';
import { readTool, type ToolAnswer } from '../client/read-tool.ts';
import { fail, print, printJson, say } from '../terminal/output.ts';
import { sayWaits } from '../terminal/say-waits.ts';
import { table } from '../terminal/table.ts';
import { type Command, configOption, jsonOption, limit, text, texts, verboseOption } from './command.ts';
import { unknownName } from './unknown-name.ts';

export const find: Command = {
  usage: 'find <words...>',
  summary: 'find tools of the toolboxes by words',
  needsTrust: true,
  options: [
    { flags: '--toolbox <name...>', description: 'toolboxes that are the likeliest' },
    { flags: '--limit <count>', description: 'how many to show, up to 20 (default: 10)' },
    jsonOption,
    configOption,
    verboseOption,
  ],
  examples: [
    'find create issue',
    'find send message --toolbox slack --limit 3',
    'find query database --json',
  ],
  async run([words], options) {
    const toolboxes = texts(options, 'toolbox');
    await using connection = await connectToNexus({
      config: text(options, 'config'),
      verbose: options.verbose === true,
    });
    const unknown = await unknownToolbox(connection, toolboxes);
    if (unknown !== undefined) return fail(unknown);
    const search = {
      queries: [(words as readonly string[]).join(' ')],
      limit: limit(options, { fallback: 10, most: 20 }),
      ...(toolboxes.length > 0 ? { toolboxes } : {}),
    };
    const answer = await readTool(connection, 'find_tools', search, sayWaits(say));
    return options.json ? printJson(answer) : print(describe(answer));
  },
};

/** The tool takes a guess; a person's misspelt name would go unnoticed. */
async function unknownToolbox(connection: Client, wanted: readonly string[]): Promise<string | undefined> {
  if (wanted.length === 0) return undefined;
  const toolboxes = await everyToolbox(connection);
  const names = toolboxes.map(({ name }) => name);
  return wanted.map((name) => unknownName('toolbox', name, names)).find((fault) => fault !== undefined);
}

function describe({
  hits,
  total,
  unreachable,
  unreachableTotal = unreachable.length,
}: ToolAnswer<'find_tools'>): string[] {
  const rows = hits.map(({ toolbox, server, tool, description = '' }) => [
    toolbox,
    server,
    tool,
    description,
  ]);
  return [
    ...(rows.length > 0 ? table(['TOOLBOX', 'SERVER', 'TOOL', 'DESCRIPTION'], rows) : ['Nothing found.']),
    ...(total > hits.length ? [`and ${total - hits.length} more; --limit shows more`] : []),
    ...unreachable.map(({ toolbox, server, reason }) => `Not searched: ${toolbox} / ${server}: ${reason}`),
    ...(unreachableTotal > unreachable.length
      ? [`Not searched: ${unreachableTotal - unreachable.length} more; \`nexus toolbox test\` tries all`]
      : []),
  ];
}
