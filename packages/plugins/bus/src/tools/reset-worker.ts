import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { assertLookedAt } from '../assert-looked-at.ts';
import type { BusState } from '../bus.ts';
import { workerName } from '../fields.ts';
import { releaseGlobs } from '../reservations/release-globs.ts';
import { resetTasks } from '../tasks/reset-tasks.ts';
import { unmetNote } from '../tasks/unmet.ts';
import { assertOwn, findWorker, requireWorker, unregisterWorker } from '../workers.ts';

export const resetWorker = defineTool({
  name: 'reset_worker',
  title: 'Reset worker',
  description:
    'For a worker that hangs or died: queues its tasks again at once, no attempt counted, voids its leases and drops its file reservations. It stays registered and keeps its messages, unless unregister.',
  input: z.object({
    worker: workerName.describe('Its name.'),
    unregister: z.boolean().default(false).describe('Also take it and its unread messages off the bus.'),
  }),
  output: z.object({
    worker: z.string(),
    returnedTasks: z.array(z.string()),
    releasedGlobs: z.array(z.string()),
    unregistered: z.boolean(),
    note: z.string().optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ worker, unregister }, { state, user, session }: CallContext<BusState>) {
    const bus = await state.open();
    await assertOwn(bus, { name: worker, user });
    const isThere = unregister ? await findWorker(bus, worker) : await requireWorker(bus, worker);
    if (isThere) assertLookedAt(bus, { session, kind: 'workers', id: worker });
    const returnedTasks = await resetTasks(bus, worker);
    const releasedGlobs = await releaseGlobs(bus, worker, undefined);
    const unregistered = unregister && (await unregisterWorker(bus, worker));
    return { worker, returnedTasks, releasedGlobs, unregistered, ...(await unmetNote(bus, returnedTasks)) };
  },
});
