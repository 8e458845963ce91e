import { type ResourceTemplateDefinition, ToolError } from '@nexus/plugin-sdk';
import type { BusState } from '../bus.ts';
import { listInbox } from '../messages/list-inbox.ts';
import { isOwn, listAbilities, requireSelf } from '../workers.ts';

/** Messages that are looked at; an answer shows as many as it holds whole. */
const LIMIT = 50;

export const inbox = {
  uriTemplate: 'nexus://inbox/{worker}',
  name: 'inbox',
  title: 'A worker’s inbox',
  description:
    'What fetch_inbox would give the worker, marking nothing. Updated when a message comes or is read.',
  mimeType: 'application/json',
  async read({ worker = '' }, { state, user }) {
    const bus = await state.open();
    // Another user's name is told no more of than one that is not there.
    if (!(await isOwn(bus, { name: worker, user }))) {
      throw new ToolError('NEXUS_NOT_FOUND', `You have no inbox "${worker}".`, { detail: { worker } });
    }
    await requireSelf(bus, { name: worker, user });
    await bus.inboxes.follow(worker);
    const { shown, total } = await listInbox(bus, worker, { limit: LIMIT });
    return JSON.stringify({ worker, total, messages: shown.map(({ view }) => view) }, null, 2);
  },
  async complete(_variable, typed, { state }) {
    const workers = await listAbilities(await state.open());
    return workers.map(({ name }) => name).filter((name) => name.startsWith(typed));
  },
} satisfies ResourceTemplateDefinition<BusState>;
