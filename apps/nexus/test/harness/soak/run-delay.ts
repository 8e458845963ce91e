import { readFileSync } from 'node:fs';

/**
 * Milliseconds for which a process's first thread was ready to run and the system ran others, since it
 * began. Always 0 where the system does not say (all but Linux).
 */
export function runDelayMs(pid: number): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / 1e6;
  } catch {
    return 0;
  }
}
