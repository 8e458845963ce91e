import type { WorkerPool, Workers } from '@nexus/plugin-sdk';
import type { CompareOutcome, CompareTask } from './task.ts';

export type Comparers = WorkerPool<CompareTask, CompareOutcome>;

/** Megabytes; what is held at once stays far below. */
const MAX_HEAP_MB = 96;

export function openComparers(workers: Workers): Comparers {
  const module = new URL('./compare-feeds.worker.ts', import.meta.url);
  return workers.pool({ module, threads: 1, maxHeapMb: MAX_HEAP_MB });
}
