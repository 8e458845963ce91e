import { type ProgramEnd, type Programs, programEnvironment, ToolError } from '@nexus/plugin-sdk';
import { KeptOutput } from './kept-output.ts';
import { LostProgramError, runProgram, UnstartableError } from './run-program.ts';
import { startToRead } from './start-to-read.ts';
import { failuresOnly } from './test-output/failures-only.ts';
import { createWatchdog } from './watchdog.ts';

/** Of what a program printed, to be looked through for what failed. */
const MAX_READ_CHARS = 2_000_000;

/** The programs that plugins run for this process. */
export function createPrograms(): Programs & { close(): void } {
  // Its shell starts with the first program.
  const watchdog = createWatchdog();
  return {
    async run({
      command: [program = '', ...args],
      environment,
      maxOutputChars,
      ...how
    }): Promise<ProgramEnd> {
      const startedAt = performance.now();
      const kept = new KeptOutput(MAX_READ_CHARS);
      const keep = (text: string) => kept.add(text);
      // What is run by nobody at a terminal must not wait for one.
      const variables = { ...programEnvironment(environment), CI: 'true' };
      const { exitCode, isTimedOut } = await runProgram(
        { command: program, args, environment: variables, stdout: keep, stderr: keep, ...how },
        watchdog,
      ).catch((error: unknown) => {
        throw asToolError(program, error);
      });
      return {
        outcome: isTimedOut ? 'timed_out' : exitCode === 0 ? 'passed' : 'failed',
        ...(exitCode === null || isTimedOut ? {} : { exitCode }),
        output: shortened(kept, maxOutputChars),
        durationMs: Math.round(performance.now() - startedAt),
      };
    },
    start: startToRead,
    close: watchdog.close,
  };
}

/** Cut only where it is too long without what passed, so that what failed in the middle of it is not what is left out. */
function shortened(whole: KeptOutput, maxChars: number): string {
  const text = failuresOnly(whole.text);
  if (text.length <= maxChars) return text;
  const kept = new KeptOutput(maxChars, whole.leftOut);
  kept.add(text);
  return kept.text;
}

function asToolError(program: string, error: unknown): unknown {
  const detail = { program };
  if (error instanceof LostProgramError) {
    return new ToolError('NEXUS_UNAVAILABLE', `${error.message}.`, { detail });
  }
  if (!(error instanceof UnstartableError)) return error;
  const text = `${error.message}. Correct the command in the config, or install the program.`;
  return new ToolError('NEXUS_UNAVAILABLE', text, { detail });
}
