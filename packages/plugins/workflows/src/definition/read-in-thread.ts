import type { WorkerPool, Workers } from '@nexus/plugin-sdk';
import type { ReadFile } from './read-file.ts';

/** `readFile` in a thread of its own. */
export function fileReaders(workers: Workers): WorkerPool<string, ReadFile> {
  return workers.pool({ module: new URL('./workflow-file.worker.ts', import.meta.url), threads: 1 });
}
