import { isToolError, type ProgramEnd, type Programs } from '@nexus/plugin-sdk';

/** A command of the project that the config allows. */
export interface Check {
  readonly name: string;
  readonly command: readonly string[];
  readonly timeoutMs: number;
}

export interface CheckResult {
  readonly name: string;
  /** `stopped`: it could not be started, or took too long. */
  readonly status: 'passed' | 'failed' | 'stopped';
  /** What it printed, or why it was stopped. */
  readonly output: string;
  /** How it came out without the change, where it was run on both sides of it. */
  readonly without?: ProgramEnd['outcome'];
}

const MAX_OUTPUT_CHARS = 4_000;

/** Runs a check in the project. @throws the signal's reason */
export async function runCheck(
  { name, command, timeoutMs }: Check,
  {
    cwd,
    signal,
    programs,
  }: { readonly cwd: string; readonly signal: AbortSignal; readonly programs: Programs },
): Promise<CheckResult> {
  try {
    const how = { cwd, environment: [], timeoutMs, maxOutputChars: MAX_OUTPUT_CHARS, signal };
    const { outcome, output } = await programs.run({ command, ...how });
    if (outcome !== 'timed_out') return { name, status: outcome, output };
    return { name, status: 'stopped', output: `took longer than ${timeoutMs} ms\n${output}` };
  } catch (error) {
    if (signal.aborted || !isToolError(error)) throw error;
    return { name, status: 'stopped', output: error.message };
  }
}
