import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { bundleProgram } from '../../../vitest.programs.ts';

const PROGRAM = await bundleProgram(new URL('./child.ts', import.meta.url));

export interface ChildJob {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
  /** `report` writes a line for each transaction that has answered. */
  readonly job: 'count' | 'report';
  readonly count: number;
  /** Runs as this user instead of the own one. */
  readonly uid?: number;
}

/** Starts a Node process that works on the same database. */
export function startChild({ dataDir, databaseUrl, job, count, ...user }: ChildJob): ChildProcess {
  const args = [PROGRAM, dataDir, databaseUrl ?? '-', job, String(count)];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], ...user });
}

/** Runs it to its end; throws what it wrote to stderr when it failed. */
export async function runChild(job: ChildJob): Promise<void> {
  const child = startChild(job);
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the child process ended with ${code}:\n${stderr}`);
}
