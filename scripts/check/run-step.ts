import { execa } from 'execa';
import type { Step } from './steps.ts';

export interface Ran {
  readonly failed: boolean;
  readonly durationMs: number;
  /** Everything it printed, both streams in order. */
  readonly output: string;
}

/**
 * Runs a step to its end with no standard input; a program that can't be started is a failure, not a throw.
 * @param folder where it runs
 * @param workspaceRoot whose dependencies' programs are found
 */
export async function runStep(step: Step, folder: string, workspaceRoot = folder): Promise<Ran> {
  const [program, ...args] = step.command;
  const { failed, durationMs, all, message } = await execa(program, args, {
    cwd: folder,
    preferLocal: true,
    localDir: workspaceRoot,
    stdin: 'ignore',
    all: true,
    reject: false,
    maxBuffer: 100_000_000,
  });
  return { failed, durationMs, output: all || message || '' };
}
