import { ToolError } from '@nexus/plugin-sdk';
import { cutEndCounted, visibleJson } from '@nexus/primitives';
import type { BackendName } from './backends.ts';
import { backendOf } from './backends.ts';
import type { Memory } from './memory.ts';

export interface Forgotten {
  readonly forgotten: boolean;
  /** How many versions of the key there were. */
  readonly versions: number;
}

/** How much is shown of what would be destroyed. */
const SHOWN_CHARACTERS = 300;

interface ToForget {
  readonly backend: BackendName;
  readonly key: string;
  readonly sessionId: string;
  /** Which versions the session was shown or wrote. */
  readonly seen: { has(version: number): boolean; add(version: number): void };
}

/**
 * Takes an entry out of memory with its earlier versions and its words, in one transaction. A session's own note is its
 * own to end; of what others may need it takes only what its session has seen: a key may be mistyped, or stand in a text
 * from outside. The refusal shows it.
 * @throws {ToolError} NEXUS_PREREQUISITE
 */
export async function forgetEntry(
  { db, index }: Memory,
  { backend, key, sessionId, seen }: ToForget,
): Promise<Forgotten> {
  const { isPerSession } = backendOf(backend);
  const scope = isPerSession ? sessionId : '';
  return db.transaction().execute(async (trx) => {
    // Holds the row before its versions are looked at: who writes the key meanwhile makes a new entry after this.
    const row = await trx
      .updateTable('memory_entries')
      .set({ key })
      .where('backend', '=', backend)
      .where('scope', '=', scope)
      .where('key', '=', key)
      .returning(['id', 'version', 'value'])
      .executeTakeFirst();
    if (!row) return { forgotten: false, versions: 0 };
    if (!isPerSession && !seen.has(row.version)) {
      seen.add(row.version);
      throw shownFirst(key, { backend, ...row });
    }
    const gone = await trx
      .deleteFrom('memory_versions')
      .where('entry_id', '=', row.id)
      .executeTakeFirstOrThrow();
    await index.remove(trx, row.id);
    await trx.deleteFrom('memory_entries').where('id', '=', row.id).execute();
    return { forgotten: true, versions: Number(gone.numDeletedRows) };
  });
}

function shownFirst(
  key: string,
  { backend, version, value }: { readonly backend: string; readonly version: number; readonly value: string },
): ToolError {
  const shown = visibleJson(cutEndCounted(value, SHOWN_CHARACTERS));
  const more = version === 1 ? '' : ` and its ${version - 1} earlier versions`;
  const text = `This session has not seen ${visibleJson(key)} of ${backend}, so nothing was forgotten. It holds ${shown}${more}. If that is to go for good, call this again.`;
  return new ToolError('NEXUS_PREREQUISITE', text, {
    detail: { missing: ['memory_query'], isShownFirst: true },
  });
}
