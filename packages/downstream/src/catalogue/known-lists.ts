import { isDeepStrictEqual } from 'node:util';
import { loadPatterns, type Patterns } from '@nexus/untrusted/patterns';
import pLimit from 'p-limit';
import { hasPattern } from '../definitions/bounds.ts';
import { type Definition, type DefinitionFault, readTools } from '../definitions/read-definitions.ts';
import type { PinStore } from '../pins/pin-store.ts';
import { type ListAddress, listAddress, type ServerAddress } from '../server-address.ts';
import type { OpenDatabase } from '../store/database.ts';

/** What a server listed last. */
export interface KnownList {
  readonly definitions: readonly Definition[];
  readonly faults: readonly DefinitionFault[];
  /** How many of what it listed are left out for those faults. */
  readonly leftOut: number;
  /** Tools whose definition is not the pinned one. */
  readonly held: ReadonlySet<string>;
  /** Where a definition has a pattern to match by. */
  readonly patterns: Patterns | undefined;
}

/** The lists of tools that servers gave, kept so that they are known without a connection. */
/** Up to so many lists are asked for one by one; of more, it is asked first which there are. */
const FEW = 50;
/** Toolboxes that one statement asks for. */
const AT_ONCE = 200;

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
  readonly raw: readonly unknown[];
  readonly known: KnownList;
}

export function createKnownLists(open: OpenDatabase, pins: PinStore): KnownLists {
  const entries = new Map<string, Entry>();
  const listeners = new Set<(address: ListAddress) => void>();
  /** One after the other: what is on record must not replace what its server has just given. */
  const inTurn = pLimit(1);

  async function set(address: ListAddress, raw: readonly unknown[]): Promise<void> {
    const { definitions, faults, leftOut } = readTools(raw);
    const held = await pins.check(address, definitions);
    const patterns = hasPattern(definitions) || address.hasGlobs ? await loadPatterns() : undefined;
    const before = entries.get(address.listKey);
    if (before && isDeepStrictEqual(before.raw, raw) && isDeepStrictEqual(before.known.held, held)) return;
    entries.set(address.listKey, { address, raw, known: { definitions, faults, leftOut, held, patterns } });
    for (const listener of listeners) listener(address);
  }

  async function read({
    toolbox,
    server,
    settingsKey,
  }: ListAddress): Promise<readonly unknown[] | undefined> {
    const db = await open();
    const row = await db
      .selectFrom('toolboxes_catalogue')
      .select('tools')
      .where('toolbox', '=', toolbox)
      .where('server', '=', server)
      .where('settings_key', '=', settingsKey)
      .executeTakeFirst();
    return row && JSON.parse(row.tools);
  }

  /** Keys of those lists that are on record. */
  async function recordedOf(addresses: readonly ListAddress[]): Promise<ReadonlySet<string>> {
    const db = await open();
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

  async function put({ toolbox, server, settingsKey }: ListAddress, raw: readonly unknown[]): Promise<void> {
    const row = { tools: JSON.stringify(raw), listed_at: open.now };
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
        const raw = await read(address);
        if (raw)
          await inTurn(async () => {
            if (!entries.has(key)) await set(address, raw);
          });
      }
    },
    async listed(address, raw) {
      await inTurn(async () => {
        const before = entries.get(address.listKey)?.raw;
        await set(address, raw);
        if (!before || !isDeepStrictEqual(before, raw)) await put(address, raw);
      });
    },
    async recheck({ toolbox, server }) {
      const isWanted = ({ address }: Entry) => address.toolbox === toolbox && address.server === server;
      const keys = [...entries].filter(([, entry]) => isWanted(entry)).map(([key]) => key);
      for (const key of keys) {
        await inTurn(async () => {
          // As it is by now: its server may have listed others while this waited.
          const entry = entries.get(key);
          if (entry) await set(entry.address, entry.raw);
        });
      }
    },
    onChange: (listener) => void listeners.add(listener),
  };
}
