import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { loadPatterns, type Patterns } from '@nexus/untrusted/patterns';
import pLimit from 'p-limit';
import type { PinStore } from '../pins/pin-store.ts';
import { type ListAddress, listAddress, type ServerAddress } from '../server-address.ts';
import type { OpenDatabase } from '../store/database.ts';
import { digestOf, listByDigest, readList, type ToolList } from './tool-list.ts';

/** What a server listed last. */
export interface KnownList extends Pick<ToolList, 'hash' | 'tools' | 'faults' | 'leftOut'> {
  /** Tools whose definition is not the pinned one. */
  readonly pending: ReadonlySet<string>;
  /** Where a definition has a pattern to match by. */
  readonly patterns: Patterns | undefined;
}

/** Up to so many lists are asked for one by one; of more, it is asked first which there are. */
const FEW = 50;
/** Toolboxes that one statement asks for. */
const AT_ONCE = 200;

/** The lists of tools that servers gave, kept so that they are known without a connection. */
export interface KnownLists {
  /** What is in memory: after `load`, all that was ever listed. */
  get(address: ListAddress): KnownList | undefined;
  /** Brings to memory what is on record of these servers. */
  load(addresses: readonly ListAddress[]): Promise<void>;
  /** Takes a list from its server; checked against the pins, put on record. */
  listed(address: ListAddress, tools: readonly unknown[]): Promise<void>;
  /** Checks the list anew, since pins were accepted. */
  recheck(address: ServerAddress): Promise<void>;
  /** Calls back with the server whose list is another now. */
  onChange(listener: (address: ListAddress) => void): void;
}

interface Entry {
  readonly address: ListAddress;
  readonly list: ToolList;
  readonly known: KnownList;
}

/** @param build what reads the lists, by which a next process knows whether it would read them alike */
export function createKnownLists(open: OpenDatabase, pins: PinStore, build: string): KnownLists {
  const entries = new Map<string, Entry>();
  const listeners = new Set<(address: ListAddress) => void>();
  /** One after the other: what is on record must not replace what its server has just given. */
  const inTurn = pLimit(1);

  async function set(address: ListAddress, list: ToolList): Promise<void> {
    const pending = await pins.check(address, list.tools);
    const patterns = list.hasPattern || address.hasGlobs ? await loadPatterns() : undefined;
    const before = entries.get(address.listKey);
    if (before && isSame(before.list, list) && isDeepStrictEqual(before.known.pending, pending)) return;
    const { hash, tools, faults, leftOut } = list;
    entries.set(address.listKey, {
      address,
      list,
      known: { hash, tools, faults, leftOut, pending, patterns },
    });
    for (const listener of listeners) listener(address);
  }

  /** What is on record; read anew where another build had read it, and then kept as it was read. */
  async function read(address: ListAddress): Promise<ToolList | undefined> {
    const { toolbox, server, settingsKey } = address;
    const db = await open.toRead();
    const row = await db
      .selectFrom('toolboxes_catalogue')
      .select(['tools', 'digest'])
      .where('toolbox', '=', toolbox)
      .where('server', '=', server)
      .where('settings_key', '=', settingsKey)
      .executeTakeFirst();
    if (!row) return undefined;
    const known = listByDigest(row.tools, row.digest, build);
    if (known) return known;
    const list = readList(JSON.parse(row.tools));
    // For the sake of speed alone: who reads does not wait for who writes.
    void db
      .updateTable('toolboxes_catalogue')
      .set({ digest: digestOf(list, build) })
      .where('toolbox', '=', toolbox)
      .where('server', '=', server)
      .where('settings_key', '=', settingsKey)
      .execute()
      .catch(() => {});
    return list;
  }

  /** Keys of those lists that are on record. */
  async function recordedOf(addresses: readonly ListAddress[]): Promise<ReadonlySet<string>> {
    const db = await open.toRead();
    const toolboxes = [...new Set(addresses.map(({ toolbox }) => toolbox))];
    const found = new Set<string>();
    for (let at = 0; at < toolboxes.length; at += AT_ONCE) {
      const rows = await db
        .selectFrom('toolboxes_catalogue')
        .select(['toolbox', 'server', 'settings_key'])
        .where('toolbox', 'in', toolboxes.slice(at, at + AT_ONCE))
        .execute();
      for (const { toolbox, server, settings_key: settingsKey } of rows)
        found.add(listAddress({ toolbox, server, settingsKey }).listKey);
    }
    return found;
  }

  async function put({ toolbox, server, settingsKey }: ListAddress, list: ToolList): Promise<void> {
    const row = { tools: list.text, digest: digestOf(list, build), listed_at: open.now };
    const db = await open();
    await db
      .insertInto('toolboxes_catalogue')
      .values({ toolbox, server, settings_key: settingsKey, ...row })
      .onConflict((conflict) => conflict.columns(['toolbox', 'server', 'settings_key']).doUpdateSet(row))
      .execute();
  }

  return {
    get: ({ listKey }) => entries.get(listKey)?.known,
    async load(addresses) {
      const unknown = addresses.filter(({ listKey }) => !entries.has(listKey));
      const recorded = unknown.length <= FEW ? undefined : await recordedOf(unknown);
      for (const address of unknown) {
        const key = address.listKey;
        if (entries.has(key) || recorded?.has(key) === false) continue;
        const list = await read(address);
        if (!list) continue;
        await inTurn(async () => {
          if (!entries.has(key)) await set(address, list);
        });
        // The database answers at once: forty lists of five hundred tools would be one stretch of work.
        await nextTurn();
      }
    },
    async listed(address, raw) {
      await inTurn(async () => {
        // What is on record already is not written once more by the next process.
        const before = entries.get(address.listKey)?.list ?? (await read(address));
        const list = readList(raw);
        await set(address, list);
        if (!before || !isSame(before, list)) await put(address, list);
      });
    },
    async recheck({ toolbox, server }) {
      const isWanted = ({ address }: Entry) => address.toolbox === toolbox && address.server === server;
      const keys = [...entries].filter(([, entry]) => isWanted(entry)).map(([key]) => key);
      for (const key of keys) {
        await inTurn(async () => {
          // As it is by now: its server may have listed others while this waited.
          const entry = entries.get(key);
          if (entry) await set(entry.address, entry.list);
        });
      }
    },
    onChange: (listener) => void listeners.add(listener),
  };
}

/** A server may write the keys of its tools in another order each time. */
function isSame(one: ToolList, other: ToolList): boolean {
  return one.hash === other.hash || isDeepStrictEqual(JSON.parse(one.text), JSON.parse(other.text));
}
