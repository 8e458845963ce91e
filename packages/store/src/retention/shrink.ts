import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Database from 'libsql';
import { whileBusy } from '../while-busy.ts';

/** Free space that is not worth the work. */
const WORTH_BYTES = 8 * 1024 * 1024;
/** Pages at once, so that nobody waits. */
const PAGES = 250;
/** A larger file is written anew only by hand: it needs as much room again, and everybody waits. */
const MAX_REWRITE_BYTES = 512 * 1024 * 1024;
const INCREMENTAL = 2;

/**
 * Gives the disk back what rows that went have left in an embedded database. One from before it was made to shrink
 * is written anew, once, where a quarter of it is free. On a connection of its own: a statement of another's that is
 * not over would keep it from that.
 */
export async function shrinkSqlite(dataDir: string): Promise<void> {
  const database = new Database(join(dataDir, 'nexus.sqlite'));
  const pragma = (name: string) =>
    Number(Object.values(database.prepare(`pragma ${name}`).get() as object)[0]);
  try {
    await whileBusy(() => database.exec('pragma busy_timeout = 10'));
    const size = pragma('page_size');
    const [pages, free] = [pragma('page_count'), pragma('freelist_count')];
    if (free * size >= WORTH_BYTES) {
      if (pragma('auto_vacuum') === INCREMENTAL) {
        for (let left = free; left > 0; left -= PAGES) {
          await whileBusy(() => database.exec(`pragma incremental_vacuum(${PAGES})`));
          await setImmediate();
        }
      } else if (free * 4 >= pages && pages * size <= MAX_REWRITE_BYTES) {
        await whileBusy(() => database.exec(`pragma auto_vacuum = ${INCREMENTAL}; vacuum`));
      }
    }
    // The log keeps its greatest length otherwise. Where others read just now, the next time does it.
    await whileBusy(() => database.exec('pragma wal_checkpoint(truncate)'));
  } finally {
    database.close();
  }
}
