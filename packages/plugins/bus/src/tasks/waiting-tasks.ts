import { type RawBuilder, sql } from 'kysely';
import type { Bus } from '../bus.ts';

/** Heads asked for in one statement. */
const AT_ONCE = 50;

/** What no undone task blocks, as the index of waiting tasks has it: values would hide that from SQLite. */
export const WAITS = sql<boolean>`status = 'queued' and blocked_on is null`;

/**
 * The different needs of tasks that wait, found by leaps over the index: 15 000 tasks that need the same cost one.
 * Pauses are not looked at.
 */
export async function findKinds({ db, name }: Bus): Promise<string[]> {
  const { rows } = await sql<{ needs: string }>`
    with recursive kinds(needs) as (
      select min(needs) from bus_tasks where bus = ${name} and ${WAITS}
      union all
      select (select min(needs) from bus_tasks where bus = ${name} and ${WAITS} and needs > kinds.needs)
      from kinds where kinds.needs is not null
    )
    select needs from kinds where needs is not null`.execute(db);
  return rows.map(({ needs }) => needs);
}

/** Those of the kinds that have a task that is not in a pause, the one whose turn it is first. */
export async function findReady(bus: Bus, kinds: readonly string[]): Promise<string[]> {
  const heads: Head[] = [];
  for (let from = 0; from < kinds.length; from += AT_ONCE) {
    const each = kinds.slice(from, from + AT_ONCE).map((needs) => headOf(bus, needs));
    const { rows } = await sql<Head>`${sql.join(each, sql` union all `)}`.execute(bus.db);
    heads.push(...rows);
  }
  heads.sort((a, b) => a.priority - b.priority || Number(a.seq) - Number(b.seq));
  return heads.map(({ needs }) => needs);
}

interface Head {
  readonly needs: string;
  readonly priority: number;
  readonly seq: number | string;
}

function headOf({ name, clock }: Bus, needs: string): RawBuilder<Head> {
  return sql<Head>`select * from (
    select needs, priority, seq from bus_tasks
    where bus = ${name} and ${WAITS} and needs = ${needs} and available_at <= ${clock.now}
    order by priority, seq limit 1) as head`;
}
