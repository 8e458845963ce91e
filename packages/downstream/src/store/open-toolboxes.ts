import pLimit from 'p-limit';
import type { OpenDatabase } from './database.ts';

/** Sessions that nobody resumed for so long are over. */
const KEPT_MS = 7 * 86_400_000;

/** Which toolboxes a session has open, on record for the server that serves it next. */
export interface OpenToolboxes {
  add(sessionId: string, toolbox: string): Promise<void>;
  /** One toolbox, or all of the session. */
  remove(sessionId: string, toolbox?: string): Promise<void>;
  of(sessionId: string): Promise<readonly string[]>;
}

export function createOpenToolboxes(open: OpenDatabase): OpenToolboxes {
  /** In the order of asking, however long each waits for who writes. */
  const inTurn = pLimit(1);
  return {
    add: (sessionId, toolbox) =>
      inTurn(async () => {
        const db = await open();
        await db
          .insertInto('toolboxes_open')
          .values({ session_id: sessionId, toolbox, opened_at: open.now })
          .onConflict((conflict) =>
            conflict.columns(['session_id', 'toolbox']).doUpdateSet({ opened_at: open.now }),
          )
          .execute();
        await db
          .deleteFrom('toolboxes_open')
          .where((eb) => eb(eb('opened_at', '+', KEPT_MS), '<', open.now))
          .execute();
      }),
    remove: (sessionId, toolbox) =>
      inTurn(async () => {
        const db = await open();
        let rows = db.deleteFrom('toolboxes_open').where('session_id', '=', sessionId);
        if (toolbox !== undefined) rows = rows.where('toolbox', '=', toolbox);
        await rows.execute();
      }),
    async of(sessionId) {
      const db = await open.toRead();
      const rows = await db
        .selectFrom('toolboxes_open')
        .select('toolbox')
        .where('session_id', '=', sessionId)
        .orderBy('toolbox')
        .execute();
      return rows.map(({ toolbox }) => toolbox);
    },
  };
}
