import { type Interactive, openBrowser } from '@nexus/client';
import type { ServerTrial } from '@nexus/downstream';
import { counted } from '@nexus/primitives';
import { visibleLine } from '@nexus/untrusted/shown';
import { connectToNexus } from '../client/connect-to-nexus.ts';
import { everyTool } from '../client/every-tool.ts';
import { everyToolbox } from '../client/every-toolbox.ts';
import { readTool } from '../client/read-tool.ts';
import { withOwnNexus } from '../client/with-own-nexus.ts';
import { type LoadedConfig, loadConfig } from '../loaded-config/load-config.ts';
import { confirm } from '../terminal/confirm.ts';
import { cut } from '../terminal/fit.ts';
import { fail, print, printJson, say, sayWhole } from '../terminal/output.ts';
import { sayWaits } from '../terminal/say-waits.ts';
import { tableWithText } from '../terminal/table.ts';
import { waitedFor } from '../terminal/waited-for.ts';
import { type Command, configOption, jsonOption, type Options, text, verboseOption } from './command.ts';
import { unknownName } from './unknown-name.ts';

type Action = (name: string | undefined, options: Options) => Promise<number>;

/** Of what a toolbox is for: enough to know it by. */
const DESCRIPTION_CHARS = 200;

const actions: Readonly<Record<string, Action>> = { list, open, test };

export const toolbox: Command = {
  usage: 'toolbox <action> [name]',
  summary: 'list the toolboxes, open one (with a browser where a server wants it), or test their servers',
  needsTrust: true,
  options: [jsonOption, configOption, verboseOption],
  examples: ['toolbox list', 'toolbox open github', 'toolbox test', 'toolbox test dev --json'],
  async run([action, name], options) {
    const run = actions[String(action)];
    if (run) return run(name === undefined ? undefined : String(name), options);
    return fail(`no action "${String(action)}"; use ${Object.keys(actions).join(', ')}`);
  },
};

async function list(_name: string | undefined, options: Options): Promise<number> {
  await using connection = await connectToNexus({
    config: text(options, 'config'),
    verbose: options.verbose === true,
  });
  const toolboxes = await everyToolbox(connection);
  if (options.json) return printJson({ toolboxes });
  if (toolboxes.length === 0) {
    return print([
      'No toolboxes yet: write `toolboxes` in the config, or take over a host’s by `nexus import`.',
    ]);
  }
  const rows = toolboxes.flatMap(({ name, description, servers, serverCount = servers.length }) =>
    [
      ...(serverCount > 0 ? servers : [{ name: '-', state: '-' } as const]),
      ...(serverCount > servers.length
        ? [{ name: `and ${serverCount - servers.length} more`, state: '-' } as const]
        : []),
    ].map((server, at) => [
      at === 0 ? name : '',
      server.name,
      server.state,
      'toolCount' in server ? String(server.toolCount) : '-',
      ('error' in server ? server.error : undefined) ?? (at === 0 ? cut(description, DESCRIPTION_CHARS) : ''),
    ]),
  );
  return print(tableWithText(['TOOLBOX', 'SERVER', 'STATE', 'TOOLS', ''], rows));
}

async function open(name: string | undefined, options: Options): Promise<number> {
  const loaded = await loadConfig({ config: text(options, 'config') });
  if (name === undefined) return fail('name the toolbox: nexus toolbox open <name>');
  const unknown = unknownToolbox(loaded, name);
  if (unknown) return fail(unknown);
  // In this process, where the person is; the running server then finds the tokens.
  if (process.stdin.isTTY) {
    const isWanted = ({ transport }: { transport: string }) => transport !== 'stdio';
    const trials = await withOwnNexus(loaded, ({ downstreams }) =>
      downstreams.tryServers({ toolboxes: [name], environment: process.env, isWanted, interactive: browser }),
    );
    const failed = trials.filter(({ isOk }) => !isOk);
    if (failed.length > 0) return fail(failed.map(describeTrial).join('\n'));
  }
  await using connection = await connectToNexus({
    config: text(options, 'config'),
    verbose: options.verbose === true,
  });
  const opened = await readTool(connection, 'open_toolbox', { toolbox: name }, sayWaits(say));
  if (options.json) return printJson(opened);
  const { faults = [], instructions = [] } = opened;
  const { tools } = await everyTool(connection);
  const names = tools
    .filter(({ plugin }) => plugin.startsWith(`${name}/`))
    .map(({ listing }) => listing.name);
  return print([
    `${visibleLine(name)}: ${counted(names.length, 'tool')}.`,
    ...names.map((each) => `  ${visibleLine(each)}`),
    ...(names[0] === undefined ? [] : [`\`nexus call ${visibleLine(names[0])} …\` calls one.`]),
    ...instructions.map(
      ({ server, text }) =>
        `${visibleLine(server)} says of itself: ${visibleLine(text.replace(/\s+/g, ' '))}`,
    ),
    ...faults.map(({ server, tool, reason }) =>
      inLines(`left out: ${server}${tool ? ` / ${tool}` : ''}: ${reason}`),
    ),
  ]);
}

const browser: Interactive = {
  agree: async (question) => (await confirm(question)) === true,
  async openUrl(url, server) {
    // As it is: with a part of it masked it would lead nowhere.
    sayWhole([
      `The server at ${visibleLine(server)} asks you to open this page, and to let Nexus in there:`,
      `  ${url.href}`,
    ]);
    // Where no browser can be started, the line above is the way.
    await openBrowser(url).catch(() => {});
  },
};

async function test(name: string | undefined, options: Options): Promise<number> {
  const loaded = await loadConfig({ config: text(options, 'config') });
  const unknown = name === undefined ? undefined : unknownToolbox(loaded, name);
  if (unknown) return fail(unknown);
  const names = name === undefined ? loaded.toolboxSource.toolboxes.map((each) => each.name) : [name];
  using waited = waitedFor((line) => say(visibleLine(line)));
  const trials = await withOwnNexus(loaded, ({ downstreams }) =>
    downstreams.tryServers({
      toolboxes: names,
      environment: process.env,
      onBegin: waited.begin,
      onTrial(trial) {
        waited.end(trial);
        if (!options.json) print([describeTrial(trial)]);
      },
    }),
  );
  const failed = trials.filter(({ isOk }) => !isOk).length;
  if (options.json) printJson(trials);
  else {
    print([wellLine(trials.length - failed, trials.length)]);
  }
  return failed > 0 ? 1 : 0;
}

export function wellLine(well: number, all: number): string {
  return `${well} of ${counted(all, 'server')} ${well === 1 || all === 1 ? 'is' : 'are'} well.`;
}

/** What may have several lines, those after the first below it. */
function inLines(text: string): string {
  return text.split('\n').map(visibleLine).join('\n      ');
}

function describeTrial(trial: ServerTrial): string {
  const where = visibleLine(`${trial.toolbox} / ${trial.server}`);
  if (!trial.isOk) return `FAIL  ${where}: ${inLines(trial.reason)}`;
  const { tools, durationMs, protocolVersion, heldBack } = trial;
  const held = heldBack === undefined ? '' : `\n      ${inLines(heldBack)}`;
  return `ok    ${where}: ${counted(tools, 'tool')} in ${durationMs} ms, protocol ${visibleLine(protocolVersion)}${held}`;
}

function unknownToolbox({ toolboxSource }: LoadedConfig, name: string): string | undefined {
  const names = toolboxSource.toolboxes.map((each) => each.name);
  return unknownName('toolbox', name, names);
}
