import type { WorkerPool, WorkerPoolOptions } from '@nexus/plugin-sdk';
import type { RunningWorkers } from '@nexus/untrusted/workers';
import { loadedSoon } from './loaded-soon.ts';

/** Threads for what works apart from everybody else. */
export function lazyWorkers(): RunningWorkers {
  let isClosed = false;
  const { there, begun } = loadedSoon(async () => {
    const workers = (await import('@nexus/untrusted/workers')).createWorkers();
    if (isClosed) await workers.close();
    return workers;
  });
  return {
    pool<Task, Answer>(options: WorkerPoolOptions): WorkerPool<Task, Answer> {
      const pool = async () => (await there()).pool<Task, Answer>(options);
      let made: ReturnType<typeof pool> | undefined;
      return {
        async run(task, limits) {
          made ??= pool();
          return (await made).run(task, limits);
        },
      };
    },
    async close() {
      isClosed = true;
      await (await begun())?.close();
    },
  };
}
