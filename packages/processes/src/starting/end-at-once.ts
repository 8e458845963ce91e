import type { ProgramToStart } from './started.ts';

/** Ends a program that nobody wants, with its group where it has one. */
export function endAtOnce(pid: number, { hasGroup }: Pick<ProgramToStart, 'hasGroup'>): void {
  try {
    process.kill(hasGroup && process.platform !== 'win32' ? -pid : pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
