import type { Store } from '@nexus/plugin-sdk';
import { parseCheckpoint } from '../checkpoint/checkpoint.ts';
import type { Anchor } from './anchor.ts';
import { migrations } from './migrations.ts';

interface Tables {
  audit_checkpoints: {
    origin: string;
    number: number;
    note: string;
    verifier: string;
    at: number;
  };
}

/**
 * The database that the machines of a project share. Each puts what it finds there of the others into its own trail: what
 * one machine has lost, and its rows with it, the others still know.
 */
export function databaseAnchor(store: Store): Anchor {
  const open = () => {
    if (store.dialect === 'postgres') return store.open<Tables>('audit', migrations);
    throw new Error(
      'the project’s database is a file of this machine, so no other machine sees it; docs/shared-database.md says how several share one',
    );
  };
  return {
    name: 'the shared database',
    async add({ note, verifier }, number) {
      const db = await open();
      const { origin } = parseCheckpoint(note);
      await db
        .insertInto('audit_checkpoints')
        .values({ origin, number, note, verifier, at: store.now })
        .onConflict((conflict) => conflict.columns(['origin', 'number']).doNothing())
        .execute();
    },
    async read() {
      const db = await open();
      return db
        .selectFrom('audit_checkpoints')
        .select(['note', 'verifier'])
        .orderBy('origin')
        .orderBy('number')
        .execute();
    },
    async newest() {
      const db = await open();
      return db
        .selectFrom('audit_checkpoints as each')
        .select(['note', 'verifier'])
        .where('number', '=', (eb) =>
          eb
            .selectFrom('audit_checkpoints as of')
            .select(({ fn }) => fn.max('of.number').as('number'))
            .whereRef('of.origin', '=', 'each.origin'),
        )
        .orderBy('origin')
        .execute();
    },
  };
}
