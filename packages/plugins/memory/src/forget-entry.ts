import type { BackendName } from './backends.ts';
import { backendOf } from './backends.ts';
import type { Memory } from './memory.ts';

export interface Forgotten {
  readonly forgotten: boolean;
  /** How many versions of the key there were. */
  readonly versions: number;
}

/** Takes an entry out of memory with its earlier versions and its words, in one transaction. */
export async function forgetEntry(
  { db, index }: Memory,
  { backend, key, sessionId }: { backend: BackendName; key: string; sessionId: string },
): Promise<Forgotten> {
  const scope = backendOf(backend).isPerSession ? sessionId : '';
  return db.transaction().execute(async (trx) => {
    // Holds the row before its versions are looked at: who writes the key meanwhile makes a new entry after this.
    const row = await trx
      .updateTable('memory_entries')
      .set({ key })
      .where('backend', '=', backend)
      .where('scope', '=', scope)
      .where('key', '=', key)
      .returning('id')
      .executeTakeFirst();
    if (!row) return { forgotten: false, versions: 0 };
    const gone = await trx
      .deleteFrom('memory_versions')
      .where('entry_id', '=', row.id)
      .executeTakeFirstOrThrow();
    await index.remove(trx, row.id);
    await trx.deleteFrom('memory_entries').where('id', '=', row.id).execute();
    return { forgotten: true, versions: Number(gone.numDeletedRows) };
  });
}
