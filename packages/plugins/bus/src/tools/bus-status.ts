import {
  answerRoom,
  type CallContext,
  defineTool,
  fittingEach,
  jsonLength,
  nextPage,
} from '@nexus/plugin-sdk';
import { rowInRoom } from '@nexus/primitives';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { listWorkers } from '../list-workers.ts';
import { listReservations } from '../reservations/list-reservations.ts';
import { listDeadLetters } from '../tasks/list-dead-letters.ts';
import { listUnmet } from '../tasks/list-unmet.ts';
import { countTasks } from '../tasks/read-tasks.ts';
import { taskStatusName } from '../tasks/task-status-name.ts';

/** Of an item that has only its beginning, or of all that is left out. */
const whole = z.string().optional();

/** The part that was asked for; the total counts all. */
const cutList = <Shape extends z.ZodRawShape>(item: z.ZodObject<Shape>) =>
  z.object({ total: z.int(), items: z.array(item.extend({ whole })) });

const worker = z.object({
  name: z.string(),
  capabilities: z.array(z.string()),
  lastSeenAt: z.string(),
  unread: z.int(),
  leases: z.array(z.object({ taskId: z.string(), leaseExpiresAt: z.string() })),
  leasesTotal: z
    .int()
    .optional()
    .describe('Where not all are listed: task_status with status leased has them.'),
});

const deadLetter = z.object({
  taskId: z.string(),
  title: z.string(),
  attempts: z.int(),
  blocks: z.int(),
  reason: z.string().optional(),
});

const reservation = z.object({
  worker: z.string(),
  glob: z.string(),
  exclusive: z.boolean(),
  expiresAt: z.string(),
});

/** The names of the lists, and how many each has. */
const BESIDE = 200;

export const busStatus = defineTool({
  name: 'bus_status',
  title: 'Bus status',
  description:
    'The whole bus: tasks by status, what no worker can do, workers with leases and unread messages, dead letters, file reservations.',
  input: z.object({
    limit: z.int().min(1).max(200).default(20).describe('Most of each list.'),
    offset: z.int().min(0).max(1_000_000).default(0).describe('To skip of each.'),
  }),
  output: z.object({
    tasks: z.record(taskStatusName, z.int()).describe('How many there are of each status.'),
    unmet: cutList(z.object({ needs: z.array(z.string()), tasks: z.int() })).describe(
      'What queued tasks need and no registered worker has all of.',
    ),
    workers: cutList(worker).describe('Those with unread messages first, then those with leases.'),
    deadLetters: cutList(deadLetter),
    reservations: cutList(reservation),
    nextOffset: z.int().optional(),
    leftOut: z.string().optional().describe('Lists whose next item has no room here.'),
    whole: whole.describe('The next item of each list, by read_result.'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call(page, context: CallContext<BusState>) {
    const { state, session } = context;
    const bus = await state.openToRead();
    const tasks = await countTasks(bus);
    const unmet = await listUnmet(bus, page);
    const workers = await listWorkers(bus, page);
    const deadLetters = await listDeadLetters(bus, page);
    const reservations = await listReservations(bus, page);
    const lists = { unmet, workers, deadLetters, reservations };
    const most = fittingEach(
      Object.values(lists).map(({ items }) => items),
      bus.results,
      BESIDE + jsonLength(tasks),
    );
    const { lists: shown, ...more } = await firstOf(lists, { most, tasks }, context);
    bus.lookedAt.workers.add(
      session,
      shown.workers.items.map(({ name }) => name),
    );
    const leased = shown.workers.items.flatMap(({ leases }) => leases);
    bus.lookedAt.tasks.add(
      session,
      [...leased, ...shown.deadLetters.items].map(({ taskId }) => taskId),
    );
    return {
      tasks,
      ...shown,
      ...nextPage(page.offset, most, Math.max(...Object.values(lists).map(({ total }) => total))),
      ...more,
    };
  },
});

type List = { readonly total: number; readonly items: readonly object[] };

/** As many of each as fit together, of which there is one at least. */
async function firstOf<Of extends Readonly<Record<string, List>>>(
  lists: Of,
  { most, tasks }: { readonly most: number; readonly tasks: object },
  context: CallContext,
): Promise<{ readonly lists: Of; readonly leftOut?: string; readonly whole?: string }> {
  const { results } = context.host;
  const first = Object.fromEntries(
    Object.entries(lists).map(([name, { items }]) => [name, items.slice(0, most)]),
  );
  const withItems = (items: Readonly<Record<string, readonly unknown[]>>) =>
    Object.fromEntries(
      Object.entries(lists).map(([name, { total }]) => [name, { total, items: items[name] ?? [] }]),
    ) as unknown as Of; // the same lists
  if (most > 1 || jsonLength(Object.values(first)) <= answerRoom(results) / 2 - BESIDE - jsonLength(tasks))
    return { lists: withItems(first) };
  const exactly = jsonLength({ tasks, ...withItems({}), nextOffset: 1_000_000 });
  const { lists: shown, ...more } = await rowInRoom(first, {
    room: Math.floor(results.maxChars / 2) - exactly,
    keep: async (text) => (await results.keep({ text, mimeType: 'application/json' }, context)).uri,
  });
  return { lists: withItems(shown), ...more };
}
