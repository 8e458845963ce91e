import { Command as Program } from 'commander';
import { tellServer } from '../client/tell-server.ts';
import { logLevel } from '../log-level.ts';
import { serverHelp } from '../server/help.ts';
import { askOnTerminal, waitingNotes } from '../trust/ask-on-terminal.ts';
import { version } from '../version.ts';
import { add } from './add.ts';
import { audit } from './audit.ts';
import { call } from './call.ts';
import { chat } from './chat.ts';
import { type Command, type Options, text } from './command.ts';
import { config } from './config.ts';
import { doctor } from './doctor.ts';
import { feeds } from './feeds.ts';
import { find } from './find.ts';
import { governance } from './governance.ts';
import { importServers } from './import.ts';
import { init } from './init.ts';
import { jobs } from './jobs.ts';
import { models } from './models.ts';
import { warn } from './output.ts';
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
import { trust } from './trust.ts';
import { votes } from './votes.ts';
import { workers } from './workers.ts';

const commands: readonly Command[] = [
  tools,
  call,
  chat,
  run,
  toolbox,
  find,
  models,
  pins,
  config,
  doctor,
  init,
  importServers,
  add,
  trust,
  project,
  governance,
  serve,
  status,
  reload,
  stop,
  workers,
  runs,
  votes,
  research,
  feeds,
  jobs,
  tasks,
  audit,
];

const FIRST_STEPS = `Begin here:
  nexus init      write a config, and print what to paste into your host
  nexus doctor    check everything that can be wrong, with the fix
  nexus tools     see what your agents get; nexus call <tool> tries one
  nexus import claude-desktop    take over the servers that a host has
`;

/** `nexus <command>`: for people; what a host starts is `nexus --mode=server`. */
export async function runCli(args: readonly string[]): Promise<void> {
  const program = new Program('nexus')
    .description('One MCP server that a whole team of agents shares.')
    .version(version)
    .showSuggestionAfterError()
    .showHelpAfterError('(nexus --help shows how)')
    .addHelpText('before', FIRST_STEPS)
    .addHelpText('after', `\nTo serve a host:\n${indent(serverHelp)}`);
  for (const command of commands) addCommand(program, command);
  process.stdout.on('error', endQuietly);
  if (args.length === 0) {
    program.outputHelp();
    return;
  }
  await program.parseAsync([...args], { from: 'user' });
}

/** The reader has seen enough, as in `nexus tools | head -3`. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

function addCommand(program: Program, command: Command): void {
  const sub = program.command(command.usage).description(command.summary);
  sub.showHelpAfterError(`(nexus ${sub.name()} --help shows how)`);
  for (const { flags, description, isRepeated } of command.options) {
    if (isRepeated) sub.option(flags, description, collect);
    else sub.option(flags, description);
  }
  const examples = command.examples.map((example) => `  nexus ${example}`).join('\n');
  sub.addHelpText('after', `\nExamples:\n${examples}`);
  sub.action(async (...given: unknown[]) => {
    const options = given.at(-2) as Options;
    logLevel(false); // A level that does not exist is told by every command.
    if (command.needsTrust) {
      const config = text(options, 'config');
      if (await askOnTerminal(config)) await tellServer();
      else if (!command.showsTrust) for (const note of await waitingNotes(config)) warn(note);
    }
    process.exitCode = await command.run(given.slice(0, -2) as string[], options);
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
