import { execa } from 'execa';
import type { MadePlace } from './make-place.ts';

interface HostRun {
  readonly exitCode: number | undefined;
  readonly output: string;
}

const RUN_MS = 600_000;

/** The host, run once to its end. @param signal kills it with all that it has started */
export async function runHost(
  place: MadePlace,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<HostRun> {
  const child = execa(place.program, args, {
    cwd: place.project,
    env: place.env,
    extendEnv: false,
    stdin: 'ignore',
    all: true,
    reject: false,
    timeout: RUN_MS,
    // A group of its own, so that what it has started can be killed with it.
    detached: true,
  });
  const kill = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  signal?.addEventListener('abort', kill, { once: true });
  const { exitCode, all } = await child;
  signal?.removeEventListener('abort', kill);
  return { exitCode, output: all ?? '' };
}
