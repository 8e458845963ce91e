import type { Expression } from 'kysely';
import type { Definition } from '../definitions/read-definitions.ts';
import type { HeldChange, Pins } from '../downstreams.ts';
import type { ServerAddress } from '../server-address.ts';
import type { Database, OpenDatabase } from '../store/database.ts';
import type { PinTable } from '../store/tables.ts';
import { changesBetween, pinHash, pinned } from './pinned-fields.ts';

/** Definitions as they were first seen. */
export interface PinStore extends Pins {
  /**
   * Pins what was never seen, and holds back what differs from its pin.
   * @returns the names of the tools held back
   */
  check(address: ServerAddress, definitions: readonly Definition[]): Promise<ReadonlySet<string>>;
}

type NewPin = Omit<PinTable, 'pinned_at'>;
type Held = PinTable & { held_hash: string; held_definition: string };

export function createPinStore(open: OpenDatabase): PinStore {
  return {
    async check({ toolbox, server }, definitions) {
      const db = await open();
      const rows = await db
        .selectFrom('toolboxes_pins')
        .select(['tool', 'hash', 'held_hash'])
        .where('toolbox', '=', toolbox)
        .where('server', '=', server)
        .execute();
      const pins = new Map(rows.map((row) => [row.tool, row]));
      const held = new Set<string>();
      const unseen: NewPin[] = [];
      for (const definition of definitions) {
        const { name } = definition;
        const pin = pins.get(name);
        const hash = pinHash(definition);
        if (!pin) unseen.push(newPin({ toolbox, server }, definition, hash));
        else if (pin.hash !== hash) held.add(name);
        // Written only when it changes: most checks find all as it was.
        const waiting = pin?.hash === hash ? null : hash;
        if (pin && pin.held_hash !== waiting)
          await hold(db, { toolbox, server, tool: name }, waiting, definition);
      }
      await insert(db, unseen, open.now);
      return held;
    },
    async held() {
      return (await heldRows(await open())).map(toChange);
    },
    async accept(toolbox, server, tool) {
      const db = await open();
      const wanted = (await heldRows(db)).filter(
        (row) =>
          (toolbox === undefined || row.toolbox === toolbox) &&
          (server === undefined || row.server === server) &&
          (tool === undefined || row.tool === tool),
      );
      for (const row of wanted) {
        await db
          .updateTable('toolboxes_pins')
          .set({
            hash: row.held_hash,
            definition: row.held_definition,
            held_hash: null,
            held_definition: null,
            pinned_at: open.now,
          })
          .where('toolbox', '=', row.toolbox)
          .where('server', '=', row.server)
          .where('tool', '=', row.tool)
          .where('held_hash', '=', row.held_hash)
          .execute();
      }
      return wanted.map(toChange);
    },
  };
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

async function heldRows(db: Database): Promise<readonly Held[]> {
  const rows = await db
    .selectFrom('toolboxes_pins')
    .selectAll()
    .where('held_hash', 'is not', null)
    .orderBy('toolbox')
    .orderBy('server')
    .orderBy('tool')
    .execute();
  return rows.filter(isHeld);
}

function isHeld(row: PinTable): row is Held {
  return row.held_hash !== null && row.held_definition !== null;
}

function toChange({ toolbox, server, tool, definition, held_definition }: Held): HeldChange {
  return {
    toolbox,
    server,
    tool,
    changes: changesBetween(JSON.parse(definition), JSON.parse(held_definition)),
  };
}
