import { Command as Program } from 'commander';
import { stopOwn } from '../client/own-nexus.ts';
import { tellServer } from '../client/tell-server.ts';
import { logLevel } from '../log-level.ts';
import { serverHelp } from '../server/help.ts';
import { exampleLines } from '../terminal/example-lines.ts';
import { fold } from '../terminal/fit.ts';
import { fail, warn } from '../terminal/output.ts';
import { shown } from '../terminal/shown.ts';
import { helpColumns, outputColumns } from '../terminal/window-size.ts';
import { askOnTerminal, waitingNotes } from '../trust/ask-on-terminal.ts';
import { buildId } from '../version.ts';
import { add } from './add.ts';
import { audit } from './audit.ts';
import { call } from './call.ts';
import { chat } from './chat.ts';
import { type Command, faultOfChoices, type Options, text } from './command.ts';
import { config } from './config.ts';
import { doctor } from './doctor.ts';
import { feeds } from './feeds.ts';
import { find } from './find.ts';
import { governance } from './governance.ts';
import { guard } from './guard.ts';
import { importServers } from './import.ts';
import { inbox } from './inbox.ts';
import { init } from './init.ts';
import { jobs } from './jobs.ts';
import { logs } from './logs.ts';
import { models } from './models.ts';
import { pins } from './pins.ts';
import { project } from './project.ts';
import { reload } from './reload.ts';
import { research } from './research.ts';
import { run } from './run.ts';
import { runs } from './runs.ts';
import { serve } from './serve.ts';
import { status } from './status.ts';
import { stop } from './stop.ts';
import { tasks } from './tasks.ts';
import { toolbox } from './toolbox.ts';
import { tools } from './tools.ts';
import { trace } from './trace.ts';
import { trust } from './trust.ts';
import { uninstall } from './uninstall.ts';
import { votes } from './votes.ts';
import { workers } from './workers.ts';

/** Each with what it is for, those that are used most first. */
const groups: readonly { readonly title: string; readonly commands: readonly Command[] }[] = [
  { title: 'Begin', commands: [init, doctor, trust, importServers] },
  { title: 'Ask and run', commands: [run, call, chat, tools, find] },
  {
    title: 'See what goes on',
    commands: [runs, trace, status, logs, jobs, tasks, workers, inbox, guard, votes, models],
  },
  { title: 'Run the server', commands: [serve, stop, reload, config, add, project, uninstall] },
  { title: 'Other servers', commands: [toolbox, pins, governance] },
  { title: 'Keep and prove', commands: [research, feeds, audit] },
];

/** What may stand behind `nexus`. */
const commandNames = groups.flatMap(({ commands }) =>
  commands.map(({ usage }) => usage.split(' ', 1)[0] ?? usage),
);

const FIRST_STEPS = `Begin here:
  nexus init      write a config, and say what hosts need
  nexus trust     allow what the project's config would run
  nexus doctor    check everything, and say how to mend it
  nexus tools     see what your agents get
  nexus import    take over the servers that a host has
`;

/** `nexus <command>`: for people; what a host starts is `nexus --mode=server`. */
export async function runCli(args: readonly string[]): Promise<void> {
  const program = new Program('nexus')
    .description('One MCP server that a whole team of agents shares.')
    .version(buildId())
    .showSuggestionAfterError()
    .showHelpAfterError('(nexus --help shows how)')
    .configureOutput({ outputError: (text) => process.stderr.write(ownError(text)) })
    .configureHelp({ helpWidth: helpColumns(), subcommandTerm: (sub) => sub.name() })
    .addHelpText('before', FIRST_STEPS)
    .addHelpText('after', fitted(`\nTo serve a host:\n${indent(serverHelp(helpColumns() - 2))}`));
  for (const { title, commands } of groups) {
    program.commandsGroup(`${title}:`);
    for (const command of commands) addCommand(program, command);
  }
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endQuietly);
  if (args.length === 0) {
    program.outputHelp();
    return;
  }
  await program.parseAsync([...args], { from: 'user' });
}

/** What stands around the help, as wide as that is. */
function fitted(text: string): string {
  return outputColumns() === undefined ? text : fold(text.split('\n'), helpColumns()).join('\n');
}

/** What is wrong with how a command is written, told as everything else that is wrong. */
function ownError(text: string): string {
  return shown(text.replace(/^error: /, 'nexus: '), process.stderr);
}

let isEnding = false;

/** The reader has seen enough, as in `nexus tools | head -3`. What this command does meanwhile is left in good order. */
function endQuietly(error: NodeJS.ErrnoException): void {
  // `nexus serve` has others to serve: it ends in order by what it does with any exception.
  if (error.code !== 'EPIPE' || process.listenerCount('uncaughtException') > 1) throw error;
  if (isEnding) return;
  isEnding = true;
  const { exitCode } = process;
  void stopOwn().then(() => process.exit(exitCode));
}

function addCommand(program: Program, command: Command): void {
  const sub = program.command(command.usage).description(command.summary);
  sub.configureHelp({ helpWidth: helpColumns() });
  sub.showHelpAfterError(`(nexus ${sub.name()} --help shows how)`);
  for (const { flags, description, isRepeated } of command.options) {
    if (isRepeated) sub.option(flags, description, collect);
    else sub.option(flags, description);
  }
  const examples = command.examples.flatMap((example) => exampleLines(example, helpColumns())).join('\n');
  sub.addHelpText('after', fitted(`\nExamples:\n${examples}`));
  sub.action(async (...given: unknown[]) => {
    const options = given.at(-2) as Options;
    const fault = faultOfChoices(command.options, options);
    if (fault !== undefined) {
      process.exitCode = fail(fault);
      return;
    }
    logLevel(false); // A level that does not exist is told by every command.
    if (command.needsTrust) {
      const config = text(options, 'config');
      if (await askOnTerminal(config)) await tellServer();
      else if (!command.showsTrust) for (const note of await waitingNotes(config)) warn(note);
    }
    process.exitCode = await command.run(given.slice(0, -2) as string[], options, commandNames);
  });
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function indent(block: string): string {
  return block
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? line : `  ${line}`))
    .join('\n');
}
