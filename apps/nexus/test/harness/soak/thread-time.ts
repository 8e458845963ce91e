import { readFileSync } from 'node:fs';

/** What a process's first thread has had of the system, since it began. */
export interface ThreadTime {
  /** Milliseconds for which it ran. */
  readonly ranMs: number;
  /** Milliseconds for which it was ready to run and the system ran others. */
  readonly delayedMs: number;
}

/** Nothing where the system does not say: all but Linux. */
export function threadTime(pid: number): ThreadTime | undefined {
  try {
    const [ranNs, delayedNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return { ranMs: Number(ranNs) / 1e6, delayedMs: Number(delayedNs) / 1e6 };
  } catch {
    return undefined;
  }
}
