import { availableParallelism, loadavg } from 'node:os';

/** From a server's death to what the next one asks of a model first; a busy machine says nothing of it. */
const TAKE_OVER_MS = 2_000;
const isIdle = () => (loadavg()[0] ?? 0) < availableParallelism();

/** Tells how long take-overs took, and throws of one that was too long. */
export function reportTakeOvers(who: string, tookMs: readonly number[]): void {
  const sorted = [...tookMs].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const most = sorted.at(-1) ?? 0;
  console.log(`${who} goes on after ${median.toFixed(0)} ms at the median, ${most.toFixed(0)} ms at most`);
  if (most >= TAKE_OVER_MS && isIdle()) throw new Error(`a take-over took ${most.toFixed(0)} ms`);
}
