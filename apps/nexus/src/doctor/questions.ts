import type { AnyDatabase, Store } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { measureDatabase } from '@nexus/store';
import { sql } from 'kysely';
import { loadConfig } from '../loaded-config/load-config.ts';
import { projectStore } from '../project/project-store.ts';
import { age } from '../terminal/age.ts';
import type { Check } from './check.ts';

/** What runs ask and nobody has answered: work that stands still until somebody does. */
export const questions: Check = {
  name: 'Questions',
  async run(source) {
    const store = projectStore(await loadConfig(source));
    try {
      const { open, oldestAt } = await openQuestions(store);
      if (open === 0) return { status: 'ok', saw: 'no run waits for an answer' };
      return {
        status: 'warning',
        saw: `${counted(open, 'question')} of runs not answered, the oldest ${age(new Date(oldestAt).toISOString())} old`,
        fix: '`nexus runs --status waiting` shows each with the command that answers it, `nexus runs answer <id> yes`',
      };
    } finally {
      await store.close();
    }
  },
};

async function openQuestions(store: Store): Promise<{ open: number; oldestAt: number }> {
  const { tables } = await measureDatabase(store, []);
  // Made with the first run.
  if (!tables.some(({ table }) => table === 'runs_questions')) return { open: 0, oldestAt: 0 };
  const db: AnyDatabase = await store.open('doctor', []);
  const { rows } = await sql<{ n: number; oldest: number | null }>`
    select count(*) as n, min(asked_at) as oldest from runs_questions where status = 'open'`.execute(db);
  return { open: Number(rows[0]?.n ?? 0), oldestAt: Number(rows[0]?.oldest ?? 0) };
}
