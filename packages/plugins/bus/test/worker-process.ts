/**
 * Workers in a process of their own. Arguments: data directory, name of the bus, file for a line
 * `taskId worker` per piece of work, and the workers. Ends when every task is done or dead.
 */
import { appendFileSync } from 'node:fs';
import { startBus } from './bus-under-test.ts';

const [dataDir = '', name = '', workDone = '', ...workers] = process.argv.slice(2);
const bus = await startBus({ dataDir, options: { name, backoffMs: 0 } });

await Promise.all(workers.map(work));
await bus.stop();

async function work(worker: string): Promise<void> {
  for (;;) {
    const { task } = await bus.answer<{ task: { taskId: string; leaseId: string } | null }>('poll_task', {
      worker,
      waitMs: 200,
    });
    if (task) {
      appendFileSync(workDone, `${task.taskId} ${worker}\n`);
      // Refused on a machine that stalls for as long as a lease: then the work is another's by now.
      await bus.call('complete_task', { leaseId: task.leaseId, result: worker });
    } else if (await isFinished()) return;
  }
}

async function isFinished(): Promise<boolean> {
  const { tasks } = await bus.answer<{ tasks: Record<string, number> }>('bus_status');
  return tasks.queued === 0 && tasks.leased === 0 && tasks.expired === 0;
}
