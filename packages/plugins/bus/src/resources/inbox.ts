import { type ResourceTemplateDefinition, ToolError } from '@nexus/plugin-sdk';
import { OWN_SENTENCES } from '@nexus/primitives';
import type { Bus, BusState } from '../bus.ts';
import { listInbox } from '../messages/list-inbox.ts';
import { type CallingWorker, isOwn, listOwn, requireSelf } from '../workers.ts';

/** Messages that are looked at; an answer shows as many as it holds whole. */
const LIMIT = 50;

/** A resource takes no cursor, and where these go on is known once they are marked. */
const NEXT = OWN_SENTENCES.inboxLeftOut();

export const inbox = {
  uriTemplate: 'nexus://inbox/{worker}',
  name: 'inbox',
  title: 'A worker’s inbox',
  description:
    'What fetch_inbox would give the worker, marking nothing. Updated when a message comes or is read.',
  mimeType: 'application/json',
  read: async ({ worker = '' }, { state, user }) =>
    JSON.stringify(await readInbox(await state.openToRead(), { name: worker, user }), null, 2),
  complete: async (_variable, typed, { state, user }) =>
    (await listOwn(await state.openToRead(), user)).filter((name) => name.startsWith(typed)),
} satisfies ResourceTemplateDefinition<BusState>;

/** A worker's inbox as `nexus://inbox/{worker}` has it. */
export type InboxView = Awaited<ReturnType<typeof readInbox>>;

async function readInbox(bus: Bus, self: CallingWorker) {
  const { name: worker } = self;
  // Another user's name is told no more of than one that is not there.
  if (!(await isOwn(bus, self))) {
    throw new ToolError('NEXUS_NOT_FOUND', `You have no inbox "${worker}".`, { detail: { worker } });
  }
  await requireSelf(bus, self);
  await bus.inboxes.follow(worker);
  const { shown, total } = await listInbox(bus, worker, { limit: LIMIT });
  const isAll = shown.length === Number(total) && shown.every(({ isWhole }) => isWhole);
  return {
    worker,
    total,
    messages: shown.map(({ view, row }) => ({ ...view, state: row.state })),
    ...(isAll ? {} : { next: NEXT }),
  };
}
