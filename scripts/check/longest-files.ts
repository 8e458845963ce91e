import { relative } from 'node:path';
import type { FileTime } from './test-report.ts';

const SHOWN = 5;
/** A file below this is nobody's concern. */
const LEAST_MS = 5_000;

/**
 * The files that a step waited for longest, a line each: whoever adds a test sees what it costs. What takes long
 * since it repeats belongs to the slow step. Nothing fails by it: a busy machine takes longer.
 */
export function longestFiles(times: readonly FileTime[], root: string): string {
  return times
    .filter(({ ms }) => ms >= LEAST_MS)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, SHOWN)
    .map(
      ({ file, ms }) => `${''.padEnd(15)}${(ms / 1000).toFixed(1).padStart(6)} s  ${relative(root, file)}\n`,
    )
    .join('');
}
