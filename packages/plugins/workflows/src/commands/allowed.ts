import { isToolError, type ProgramEnd, type Programs, ToolError } from '@nexus/plugin-sdk';

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
 * @throws {ToolError} NEXUS_DENIED for what is not in the list; the signal's reason
 */
export async function runAllowed(
  { commands, commandEnvironment, commandTimeoutMs }: AllowedCommands,
  name: string,
  {
    cwd,
    signal,
    programs,
  }: { readonly cwd: string; readonly signal: AbortSignal; readonly programs: Programs },
): Promise<ProgramEnd> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const text = `"${name}" is not among the commands of the config (workflows.commands), so it is not run. There are: ${Object.keys(commands).join(', ') || 'none'}.`;
    throw new ToolError('NEXUS_DENIED', text, { detail: { allowed: Object.keys(commands) } });
  }
  try {
    return await programs.run({
      command,
      cwd,
      environment: commandEnvironment,
      timeoutMs: commandTimeoutMs,
      maxOutputChars: MAX_OUTPUT_CHARS,
      signal,
    });
  } catch (error) {
    if (signal.aborted || !isToolError(error)) throw error;
    return { outcome: 'failed', output: error.message, durationMs: 0 };
  }
}
