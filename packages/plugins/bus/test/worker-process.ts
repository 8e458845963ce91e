/**
 * Workers in a process of their own. Arguments: data directory, bus, workers of this process, lines of
 * `taskId worker` are written for each piece of work. Ends when there has been nothing to do for a while.
 */
import { appendFileSync } from 'node:fs';
import { isToolError } from '@nexus/plugin-sdk';
import { createStore } from '@nexus/store';
import { busOptions, createBus } from '../src/bus.ts';
import { completeTask } from '../src/tasks/complete-task.ts';
import { waitForTask } from '../src/tasks/wait-for-task.ts';
import { greetWorker } from '../src/workers.ts';

const IDLE_MS = 3_000;

const [dataDir = '', name = '', workDone = '', ...workers] = process.argv.slice(2);
const store = createStore({ dataDir, ...databaseUrl() });
const options = busOptions.parse({ name, backoffMs: 0, lookAgainMs: 50 });
const bus = await createBus(options, { projectRoot: dataDir, store }).open();

await Promise.all(workers.map(work));
await store.close();

async function work(worker: string): Promise<void> {
  const self = await greetWorker(bus, worker);
  const { signal } = new AbortController();
  for (;;) {
    const task = await waitForTask(bus, self, { until: Date.now() + IDLE_MS, signal });
    if (!task) return;
    appendFileSync(workDone, `${task.id} ${worker}\n`);
    await completeTask(bus, task.lease_id ?? '', { by: worker }).catch(unlessTakenAway);
  }
}

/** On a machine that stalls for as long as a lease, the work is another's by now. */
function unlessTakenAway(error: unknown): void {
  if (!isToolError(error) || error.code !== 'NEXUS_CONFLICT') throw error;
}

function databaseUrl() {
  const url = process.env.WORKER_DATABASE_URL;
  return url ? { databaseUrl: url } : {};
}
