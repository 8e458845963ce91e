import { counted } from '@nexus/primitives';
import { visibleLine } from '@nexus/untrusted/shown';
import { connectToNexus } from '../client/connect-to-nexus.ts';
import { everyTool, findTool, type KnownTool } from '../client/every-tool.ts';
import { cut } from '../terminal/fit.ts';
import { fail, print, printJson } from '../terminal/output.ts';
import { outputColumns } from '../terminal/window-size.ts';
import { type Command, configOption, jsonOption, text, verboseOption } from './command.ts';
import { nothingCalled } from './nothing-called.ts';
import { toolLines } from './tool-lines.ts';

export const tools: Command = {
  usage: 'tools [name]',
  summary: 'list the tools by plugin, with what each is for, or show one with its schema',
  needsTrust: true,
  options: [jsonOption, configOption, verboseOption],
  examples: ['tools', 'tools search_codebase', 'tools --json'],
  async run([name], options, commands = []) {
    await using connection = await connectToNexus({
      config: text(options, 'config'),
      verbose: options.verbose === true,
    });
    if (name !== undefined) {
      const found = await findTool(connection, String(name));
      if (found) {
        const columns = options.json === true ? undefined : outputColumns();
        return columns === undefined ? printJson(found.listing) : print(toolLines(found.listing, columns));
      }
      return fail(await nothingCalled(connection, { name: String(name), behind: 'call', commands }));
    }
    const { tools: known, withheld } = await everyTool(connection);
    const listed = known.filter(({ isListed }) => isListed);
    if (options.json) return printJson(listed.map(({ listing }) => listing));
    return print([
      ...byPlugin(listed),
      `${counted(listed.length, 'tool')}. \`nexus tools <name>\` shows one whole, \`nexus call <name>\` calls it.`,
      ...unlisted(known),
      ...Object.entries(withheld).map(([tool, why]) => `${tool} is not offered: ${why}.`),
    ]);
  },
};

const WHY_UNLISTED = {
  model: 'a language model is needed and none was found; `nexus models` says what was looked for',
  profile: 'profile: lean',
  mode: 'they are called by use_tool',
} as const;

function unlisted(known: readonly KnownTool[]): string[] {
  return Object.entries(WHY_UNLISTED).flatMap(([reason, why]) => {
    const { length } = known.filter(({ unlistedFor }) => unlistedFor === reason);
    const are = length === 1 ? 'is' : 'are';
    return length === 0
      ? []
      : [`${counted(length, 'more tool')} can be called and ${are} not listed to hosts (${why}).`];
  });
}

function byPlugin(known: readonly KnownTool[]): string[] {
  const width = Math.max(0, ...known.map(({ listing }) => listing.name.length));
  const plugins = [...new Set(known.map(({ plugin }) => plugin))].sort();
  return plugins.flatMap((plugin) => [
    plugin,
    ...known
      .filter((tool) => tool.plugin === plugin)
      .map(
        ({ listing }) =>
          `  ${listing.name.padEnd(width)}  ${purpose(listing.description ?? listing.title ?? '')}`,
      ),
    '',
  ]);
}

/** Of a list that is looked through; a pipe gets all of it. */
const MOST_ON_A_TERMINAL = 100;

/** A description's first sentence is what the tool is for. */
function purpose(description: string): string {
  const [sentence = ''] = /^.*?[.:;](?=\s|$)/s.exec(description) ?? [description];
  const line = visibleLine(sentence.replace(/[.:;]$/, ''));
  return outputColumns() === undefined ? line : cut(line, MOST_ON_A_TERMINAL);
}
