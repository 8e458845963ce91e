import { ANSWER_MS, endsWithin } from '@nexus/core';
import type { InboxView } from '@nexus/plugin-bus';
import type { Client } from '../client/connect-to-nexus.ts';
import { readTool } from '../client/read-tool.ts';
import { age } from '../terminal/age.ts';
import { table } from '../terminal/table.ts';
import { showBus } from './bus-view.ts';
import { type Command, configOption, jsonOption } from './command.ts';

/** Workers that are looked through for unread messages. */
const MOST_WORKERS = 200;

export const inbox: Command = {
  usage: 'inbox [worker]',
  summary: 'show a worker’s new messages without marking them as read, or who has some',
  options: [jsonOption, configOption],
  examples: ['inbox', 'inbox reviewer', 'inbox reviewer --json'],
  run: async ([worker], options) =>
    worker === undefined
      ? showBus({ read: readUnread, lines: describeUnread }, options)
      : showBus({ read: (client) => readInbox(client, String(worker)), lines: describe }, options),
};

type Unread = readonly { readonly name: string; readonly unread: number }[];

async function readUnread(client: Client): Promise<Unread> {
  const { workers } = await readTool(client, 'bus_status', { limit: MOST_WORKERS });
  return workers.items
    .filter(({ unread }) => unread > 0)
    .map(({ name, unread }) => ({ name, unread }))
    .sort((a, b) => b.unread - a.unread);
}

function describeUnread(workers: Unread): string[] {
  if (workers.length === 0) return ['Nobody has unread messages.'];
  const rows = workers.map(({ name, unread }) => [name, String(unread)]);
  return table(['WORKER', 'UNREAD'], rows);
}

async function readInbox(client: Client, worker: string): Promise<InboxView> {
  const uri = `nexus://inbox/${encodeURIComponent(worker)}`;
  const { contents } = (await client.request(
    'resources/read',
    { uri },
    { signal: endsWithin(ANSWER_MS) },
  )) as { contents: readonly { text: string }[] }; // of our own server
  return JSON.parse(contents[0]?.text ?? '{"messages":[]}') as InboxView;
}

function describe({ worker, total, messages }: InboxView): string[] {
  if (messages.length === 0) return [`${worker} has no new messages.`];
  const rows = messages.map(({ from = '', importance = '', sentAt, body, state }) => [
    from,
    state === 'read' ? 'lacks ack' : importance,
    sentAt === undefined ? '' : age(sentAt),
    body,
  ]);
  return [
    ...table(['FROM', 'STATE', 'AGE', 'MESSAGE'], rows),
    ...(total > messages.length ? [`and ${total - messages.length} more`] : []),
  ];
}
