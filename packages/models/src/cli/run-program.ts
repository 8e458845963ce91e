import {
  LostProgramError,
  runProgram,
  type StartedProgram,
  UnstartableError,
  type Watchdog,
} from '@nexus/processes';
import { MAX_LINE, tooLong } from '../content/answer-bounds.ts';
import { ModelFailure } from '../failure.ts';

export interface LinesOfProgram
  extends Pick<StartedProgram, 'command' | 'args' | 'cwd' | 'environment' | 'signal'> {
  readonly input: string;
  readonly line: (line: string) => void;
}

const MAX_OUTPUT_CHARS = 32 * 1024 * 1024;
const MAX_STDERR_CHARS = 4_096;

/**
 * Runs a program to its end and hands on each line that it prints.
 * @throws {ModelFailure}, or the signal's reason
 */
export async function readProgram(
  { line, ...program }: LinesOfProgram,
  watchdog: Watchdog,
): Promise<{ readonly exitCode: number | null; readonly stderr: string }> {
  let characters = 0;
  let pending = '';
  let stderr = '';
  const stdout = (chunk: string) => {
    characters += chunk.length;
    if (characters > MAX_OUTPUT_CHARS)
      throw new ModelFailure('rejected', `it printed more than ${MAX_OUTPUT_CHARS} characters`);
    const [rest = '', ...lines] = chunk.split('\n');
    pending += rest;
    if (pending.length > MAX_LINE) throw tooLong(MAX_LINE, 'characters in a line');
    for (const each of lines) {
      line(pending.replace(/\r$/, ''));
      pending = each;
    }
  };
  const keepTail = (chunk: string) => {
    stderr = (stderr + chunk).slice(-MAX_STDERR_CHARS);
  };
  const { exitCode } = await runProgram({ ...program, stdout, stderr: keepTail }, watchdog).catch(
    (error: unknown) => {
      if (!(error instanceof UnstartableError || error instanceof LostProgramError)) throw error;
      throw new ModelFailure('unavailable', error.message, { cause: error.cause });
    },
  );
  if (pending !== '') line(pending);
  return { exitCode, stderr: stderr.trim() };
}
