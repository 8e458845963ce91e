import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readJson } from '@nexus/conversation';
import { isRecord } from '@nexus/core';
import type { SecretUsed } from '@nexus/plugin-sdk';
import { boundsFault, cutEndCounted } from '@nexus/primitives';
import type { Watchdog } from '@nexus/processes';
import { describeModel } from '../catalogue/describe-model.ts';
import { askDescribed, asOneText } from '../content/described-tools.ts';
import { ModelFailure } from '../failure.ts';
import type { ModelsSettings } from '../settings.ts';
import type { ModelSource, SourceAnswer, SourceRequest } from '../source.ts';
import { cliFailure } from './cli-failure.ts';
import type { CliDialect } from './dialect.ts';
import { cliEnvironment } from './environment.ts';
import { CLI_DIALECTS, findCli } from './find-cli.ts';
import { readProgram } from './run-program.ts';

/** Each is a program of some hundred megabytes. */
const DEFAULT_CONCURRENCY = 2;
/** The model that the command line itself is set to. */
const OWN_DEFAULT = 'default';
const MAX_SHOWN_CHARS = 200;

export interface CliSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly processes: Watchdog;
  /** The file that a command would run. */
  readonly findProgram: (command: string) => string | undefined;
  /** Hears of each key before it is sent. */
  readonly secretUsed?: SecretUsed | undefined;
}

/** A model behind a command line that its user has installed and logged in. */
export function cliSource(name: string, settings: ModelsSettings, around: CliSurroundings): ModelSource {
  const dialect = CLI_DIALECTS[name] as CliDialect;
  const own = settings.providers[name];
  const command = own?.command ?? dialect.program;
  const names = own?.models ?? [OWN_DEFAULT];
  return {
    name,
    kind: 'cli',
    models: names.map((model) =>
      describeModel({ provider: name, name: model, tools: 'described' }, settings.overrides),
    ),
    concurrency: own?.concurrency ?? DEFAULT_CONCURRENCY,
    requestsPerMinute: own?.requestsPerMinute,
    find: () => findCli(name, settings.providers, around.findProgram),
    ask: (request) =>
      request.tools.length > 0
        ? askDescribed(request, (described) => askCli({ dialect, command, around }, described))
        : askCli({ dialect, command, around }, request),
  };
}

interface Cli {
  readonly dialect: CliDialect;
  readonly command: string;
  readonly around: CliSurroundings;
}

async function askCli({ dialect, command, around }: Cli, request: SourceRequest): Promise<SourceAnswer> {
  const { name } = request.entry;
  const reader = dialect.reader(request.emit);
  const printed: string[] = [];
  // An empty folder: the project's own settings for such programs may start others.
  const cwd = await mkdtemp(join(tmpdir(), 'nexus-model-'));
  try {
    const environment = cliEnvironment(dialect, around.environment);
    const servers = await serversOf({ dialect, command, around }, { cwd, environment, request });
    const { exitCode, stderr } = await readProgram(
      {
        command,
        args: dialect.args(name === OWN_DEFAULT ? undefined : name, servers),
        cwd,
        environment: { ...environment, ...(servers.length > 0 ? dialect.servers?.off?.(servers) : {}) },
        input: promptOf(request),
        signal: request.caller.signal,
        line: (line) => {
          const value = objectOf(line);
          if (value) reader.read(value);
          else printed.push(line);
        },
      },
      around.processes,
    );
    // One document over many lines is read at its end.
    const whole = readJson(printed.join('\n'))?.value;
    if (isRecord(whole)) reader.read(whole);
    const answer = reader.answer();
    if (answer) return answer;
    if (exitCode !== 0) throw cliFailure(stderr || printed.join('\n') || `it ended with code ${exitCode}`);
    const shown = cutEndCounted(printed.join('\n'), MAX_SHOWN_CHARS);
    throw new ModelFailure(
      'rejected',
      `it printed no answer that can be read: ${JSON.stringify(shown)}. Run "${command}" by hand to see whether it is logged in.`,
    );
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

/** Asked each time: its user may have added one since. What can't be read of it is left to the depth that it is told. */
async function serversOf(
  { dialect, command, around }: Cli,
  place: {
    readonly cwd: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly request: SourceRequest;
  },
): Promise<readonly string[]> {
  if (!dialect.servers) return [];
  const { cwd, environment, request } = place;
  const printed: string[] = [];
  const { args, names } = dialect.servers;
  const { signal } = request.caller;
  const line = (text: string) => void printed.push(text);
  await readProgram({ command, args, cwd, environment, input: '', signal, line }, around.processes);
  const text = printed.join('\n');
  return boundsFault(text) === undefined ? names(readJson(text)?.value) : [];
}

function promptOf(request: SourceRequest): string {
  const { system, outputSchema } = request;
  const form =
    outputSchema &&
    `Answer with one JSON value of this schema and nothing else:\n${JSON.stringify(outputSchema)}`;
  return [system, asOneText(request), form].filter((part) => part !== undefined).join('\n\n');
}

function objectOf(text: string): Record<string, unknown> | undefined {
  if (!text.trimStart().startsWith('{') || boundsFault(text) !== undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
