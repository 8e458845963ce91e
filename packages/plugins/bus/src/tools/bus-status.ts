import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { Bus, BusState } from '../bus.ts';
import { listWorkers } from '../list-workers.ts';
import { listReservations } from '../reservations/list-reservations.ts';
import { listDeadLetters } from '../tasks/list-dead-letters.ts';
import { countTasks } from '../tasks/read-tasks.ts';

const cutList = z.looseObject({ total: z.int() });

export const busStatus = defineTool({
  name: 'bus_status',
  title: 'Bus status',
  description:
    'The whole bus: tasks by status, workers with capabilities, leases and unread messages, dead letters with reason and number of tasks they block, file reservations. One task: task_status.',
  input: z.object({
    limit: z.int().min(1).max(200).default(20).describe('Length of each list; totals count all.'),
  }),
  output: z.object({
    tasks: z.looseObject({}),
    workers: cutList,
    deadLetters: cutList,
    reservations: cutList,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ limit }, { state }: CallContext<BusState>) {
    return readStatus(await state.open(), limit);
  },
});

/** What the tool answers; its output schema says less, since every host's list carries it. */
export type BusStatus = Awaited<ReturnType<typeof readStatus>>;

async function readStatus(bus: Bus, limit: number) {
  return {
    tasks: await countTasks(bus),
    workers: await listWorkers(bus, limit),
    deadLetters: await listDeadLetters(bus, limit),
    reservations: await listReservations(bus, limit),
  };
}
