import type { Expression } from 'kysely';
import type { ListedTool } from '../definitions/listed-tool.ts';
import type { Definition } from '../definitions/read-definitions.ts';
import type { PendingChange, Pins } from '../downstreams.ts';
import type { ServerAddress } from '../server-address.ts';
import type { Database, OpenDatabase } from '../store/database.ts';
import type { PinTable } from '../store/tables.ts';
import { changesBetween, pinned } from './pinned-fields.ts';

/** Definitions as they were first seen. */
export interface PinStore extends Pins {
  /**
   * Pins what was never seen, and holds back what differs from its pin.
   * @returns the names of the tools held back
   */
  check(address: ServerAddress, listed: readonly Listed[]): Promise<ReadonlySet<string>>;
}

type NewPin = Omit<PinTable, 'pinned_at'>;
type PendingPin = PinTable & { held_hash: string; held_definition: string };

type Listed = Pick<ListedTool, 'name' | 'hash' | 'definition'>;

type PinRow = Pick<PinTable, 'tool' | 'hash' | 'held_hash'>;

export function createPinStore(open: OpenDatabase): PinStore {
  /**
   * Hashes of definitions as this process saw them listed last, by server: only who holds one back may say that it is
   * gone.
   */
  const listedAs = new Map<string, Map<string, string>>();

  function seenAs(address: ServerAddress, tool: string): string | undefined {
    return listedAs.get(keyOf(address))?.get(tool);
  }

  function isListed({ tool, held_hash, ...address }: PendingPin): boolean {
    return (seenAs(address, tool) ?? held_hash) === held_hash;
  }

  function toChange(row: PendingPin): PendingChange {
    const { toolbox, server, tool, definition, held_definition, held_hash } = row;
    const changes = changesBetween(JSON.parse(definition), JSON.parse(held_definition));
    return { toolbox, server, tool, changes, hash: shortHash(held_hash), isListed: isListed(row) };
  }

  function rowsOf(db: Database, { toolbox, server }: ServerAddress) {
    return db
      .selectFrom('toolboxes_pins')
      .select(['tool', 'hash', 'held_hash'])
      .where('toolbox', '=', toolbox)
      .where('server', '=', server);
  }

  /** What is to be on record of each as held back. */
  function waitingOf(address: ServerAddress, pin: PinRow, hash: string): string | null {
    if (pin.hash !== hash) return hash;
    return seenAs(address, pin.tool) === pin.held_hash ? null : pin.held_hash;
  }

  function isSettled(address: ServerAddress, pins: ReadonlyMap<string, PinRow>, listed: readonly Listed[]) {
    return listed.every(({ name, hash }) => {
      const pin = pins.get(name);
      return pin !== undefined && waitingOf(address, pin, hash) === pin.held_hash;
    });
  }

  /** Who lists at the same time is waited for by the rows of the first that is new, then by the rows as they are. */
  async function settle(trx: Database, address: ServerAddress, tools: readonly Listed[]) {
    const { toolbox, server } = address;
    const listed = tools.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const known = byTool(await rowsOf(trx, address).execute());
    const unseen = listed.filter(({ name }) => !known.has(name));
    await insert(
      trx,
      unseen.map(({ definition, hash }) => newPin({ toolbox, server }, definition, hash)),
      open.now,
    );
    const rows = await rowsOf(trx, address)
      .orderBy('tool')
      .$if(open.dialect === 'postgres', (query) => query.forUpdate())
      .execute();
    const byName = new Map(listed.map((each) => [each.name, each]));
    for (const pin of rows) {
      const now = byName.get(pin.tool);
      if (!now) continue;
      const waiting = waitingOf(address, pin, now.hash);
      if (waiting === pin.held_hash) continue;
      await hold(trx, { toolbox, server, tool: pin.tool }, waiting, now.definition);
    }
    return byTool(rows);
  }

  return {
    async check(address, listed) {
      const found = byTool(await rowsOf(await open.toRead(), address).execute());
      // Most checks find all as it was, and lock nothing.
      const pins = isSettled(address, found, listed)
        ? found
        : await (await open()).transaction().execute((trx) => settle(trx, address, listed));
      const pending = new Set<string>();
      const seen = listedAs.get(keyOf(address)) ?? new Map<string, string>();
      listedAs.set(keyOf(address), seen);
      for (const { name, hash } of listed) {
        if (pins.get(name)?.hash !== hash) pending.add(name);
        seen.set(name, hash);
      }
      return pending;
    },
    async pending() {
      return (await pendingRows(await open.toRead())).map(toChange);
    },
    async accept({ toolbox, server, tool }, shown) {
      const db = await open();
      return db.transaction().execute(async (trx) => {
        const wanted = (await pendingRows(trx, open.dialect === 'postgres')).filter(
          (row) =>
            (toolbox === undefined || row.toolbox === toolbox) &&
            (server === undefined || row.server === server) &&
            (tool === undefined || row.tool === tool) &&
            shown.includes(shortHash(row.held_hash)) &&
            isListed(row),
        );
        const accepted = wanted.map(toChange);
        for (const row of wanted) await take(trx, row, open.now);
        return accepted;
      });
    },
  };
}

function byTool(rows: readonly PinRow[]): ReadonlyMap<string, PinRow> {
  return new Map(rows.map((row) => [row.tool, row]));
}

function keyOf({ toolbox, server }: ServerAddress): string {
  return JSON.stringify([toolbox, server]);
}

async function take(db: Database, row: PendingPin, now: Expression<number>): Promise<void> {
  await db
    .updateTable('toolboxes_pins')
    .set({
      hash: row.held_hash,
      definition: row.held_definition,
      held_hash: null,
      held_definition: null,
      pinned_at: now,
    })
    .where('toolbox', '=', row.toolbox)
    .where('server', '=', row.server)
    .where('tool', '=', row.tool)
    .execute();
}

function newPin(address: ServerAddress, definition: Definition, hash: string): NewPin {
  return {
    ...address,
    tool: definition.name,
    hash,
    definition: JSON.stringify(pinned(definition)),
    held_hash: null,
    held_definition: null,
  };
}

/** Few enough that no dialect has too many parameters. */
const ROWS_AT_ONCE = 100;

async function insert(db: Database, rows: readonly NewPin[], now: Expression<number>): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await db
      .insertInto('toolboxes_pins')
      .values(rows.slice(from, from + ROWS_AT_ONCE).map((row) => ({ ...row, pinned_at: now })))
      .onConflict((conflict) => conflict.columns(['toolbox', 'server', 'tool']).doNothing())
      .execute();
  }
}

async function hold(
  db: Database,
  { toolbox, server, tool }: ServerAddress & { tool: string },
  hash: string | null,
  definition: Definition,
): Promise<void> {
  await db
    .updateTable('toolboxes_pins')
    .set({ held_hash: hash, held_definition: hash === null ? null : JSON.stringify(pinned(definition)) })
    .where('toolbox', '=', toolbox)
    .where('server', '=', server)
    .where('tool', '=', tool)
    .execute();
}

async function pendingRows(db: Database, locks = false): Promise<readonly PendingPin[]> {
  return db
    .selectFrom('toolboxes_pins')
    .selectAll()
    .where('held_hash', 'is not', null)
    .orderBy('toolbox')
    .orderBy('server')
    .orderBy('tool')
    .$if(locks, (query) => query.forUpdate())
    .$castTo<PendingPin>()
    .execute();
}

/** Too long for a server to make two definitions of one hash, to have one shown and the other accepted. */
function shortHash(hash: string): string {
  return hash.slice(0, 40);
}
