import { ToolError } from '@nexus/plugin-sdk';
import { commandEnvironment } from './environment.ts';
import { type CommandResult, runOrTell } from './run-command.ts';

/** The commands that the config allows, and how they are run. */
export interface AllowedCommands {
  /** Program and arguments by name. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
  /** Variables that they get beside those of the place. */
  readonly commandEnvironment: readonly string[];
  readonly commandTimeoutMs: number;
}

const MAX_OUTPUT_CHARS = 20_000;

/**
 * Runs a command by its name; one that can't be started has failed.
 * @throws {ToolError} NEXUS_DENIED for what is not in the list
 */
export async function runAllowed(
  { commands, commandEnvironment: named, commandTimeoutMs }: AllowedCommands,
  name: string,
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<CommandResult> {
  const argv = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!argv) {
    const text = `"${name}" is not among the commands of the config (workflows.commands), so it is not run. There are: ${Object.keys(commands).join(', ') || 'none'}.`;
    throw new ToolError('NEXUS_DENIED', text, { detail: { allowed: Object.keys(commands) } });
  }
  return runOrTell({
    argv,
    cwd,
    // What is run by nobody at a terminal must not wait for one.
    environment: { ...commandEnvironment(named), CI: 'true' },
    timeoutMs: commandTimeoutMs,
    maxOutputChars: MAX_OUTPUT_CHARS,
    signal,
  });
}
