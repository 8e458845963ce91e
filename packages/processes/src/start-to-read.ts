import type { ReadProgram, RunningProgram } from '@nexus/plugin-sdk';
import { endAtOnce } from './starting/end-at-once.ts';
import { startProgram } from './starting/start-program.ts';

/** A program that starts none of its own: it has no group, and ends with its signal. */
export async function startToRead({
  command: [command = '', ...args],
  cwd,
  variables,
  signal,
}: ReadProgram): Promise<RunningProgram> {
  const how = { hasGroup: false };
  const program = { command, args, cwd, environment: variables, signal, ...how };
  const { pid, stdin, stdout, stderr, exited } = await startProgram(program);
  // It may end without reading that there is nothing.
  stdin.on('error', () => {});
  stdin.end();
  let isGone = false;
  const end = () => {
    if (!isGone) endAtOnce(pid, how);
  };
  signal.addEventListener('abort', end, { once: true });
  void exited.then(() => {
    isGone = true;
    signal.removeEventListener('abort', end);
  });
  return { pid, stdout, stderr, exited, end };
}
