import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { workerName } from '../fields.ts';
import { releaseGlobs } from '../reservations/release-globs.ts';
import { resetTasks } from '../tasks/reset-tasks.ts';
import { requireWorker } from '../workers.ts';

export const resetWorker = defineTool({
  name: 'reset_worker',
  title: 'Reset worker',
  description:
    'For a worker that hangs or died: queues its tasks again at once, no attempt counted, voids its leases and drops its file reservations. It stays registered and keeps its messages.',
  input: z.object({ worker: workerName.describe('Its name.') }),
  output: z.object({
    worker: z.string(),
    returnedTasks: z.array(z.string()),
    releasedGlobs: z.array(z.string()),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ worker }, { state }: CallContext<BusState>) {
    const bus = await state.open();
    await requireWorker(bus, worker);
    const returnedTasks = await resetTasks(bus, worker);
    return { worker, returnedTasks, releasedGlobs: await releaseGlobs(bus, worker, undefined) };
  },
});
