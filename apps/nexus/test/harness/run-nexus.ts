import { execa } from 'execa';
import { bin } from './app.ts';
import type { Project } from './project.ts';

export interface Finished {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `nexus <args>` in the project to its end. */
export async function runNexus(project: Project, args: readonly string[]): Promise<Finished> {
  return run(project, process.execPath, [bin, ...args]);
}

/** Runs any command in the project, with the project's environment alone. */
export async function run(
  project: Pick<Project, 'root' | 'env'>,
  command: string,
  args: readonly string[],
): Promise<Finished> {
  const { exitCode, stdout, stderr } = await execa(command, args, {
    cwd: project.root,
    env: project.env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: 120_000,
  });
  return { exitCode, stdout, stderr };
}
