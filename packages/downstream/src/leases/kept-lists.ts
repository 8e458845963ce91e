import type { Connection } from '@nexus/client';
import { endsWithin, isRecord } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';

/** Lists that are read when somebody asks for them. */
const LISTS = {
  resources: { method: 'resources/list', key: 'resources', capability: 'resources' },
  resourceTemplates: {
    method: 'resources/templates/list',
    key: 'resourceTemplates',
    capability: 'resources',
  },
  prompts: { method: 'prompts/list', key: 'prompts', capability: 'prompts' },
} as const;

export type ListName = keyof typeof LISTS;

const CHANGED: Readonly<Record<string, readonly ListName[]>> = {
  'notifications/resources/list_changed': ['resources', 'resourceTemplates'],
  'notifications/prompts/list_changed': ['prompts'],
};

export const LIST_CHANGES = Object.keys(CHANGED);

/** The lists of a connection other than of tools, each kept until its server says that it changed. */
export interface KeptLists {
  read(
    connection: Connection | undefined,
    what: ListName,
    how?: { readonly isFresh: boolean },
  ): Promise<readonly Members[]>;
  /** Forgets what the notification says is another now. */
  changed(method: string): void;
  clear(): void;
}

export function createKeptLists(timeoutMs: number): KeptLists {
  const lists = new Map<ListName, Promise<readonly Members[]>>();
  return {
    async read(connection, what, { isFresh } = { isFresh: false }) {
      const { method, key, capability } = LISTS[what];
      if (connection?.server.capabilities[capability] === undefined) return [];
      const known = isFresh ? undefined : lists.get(what);
      if (known) return known;
      const listed = connection
        .list(method, key, { signal: endsWithin(timeoutMs) })
        .then((items) => items.filter(isRecord));
      lists.set(what, listed);
      listed.catch(() => lists.get(what) === listed && lists.delete(what));
      return listed;
    },
    changed(method) {
      for (const name of CHANGED[method] ?? []) lists.delete(name);
    },
    clear: () => lists.clear(),
  };
}
