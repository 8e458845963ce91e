import type { Bus } from '../bus.ts';
import { type Caller, isHolder } from '../session-holds.ts';

/** Who is named beside a note: the worker whose lease the session holds, else the session's client. */
export async function authorOf({ db }: Bus, taskId: string, caller: Caller): Promise<string> {
  const row = await db
    .selectFrom('bus_tasks')
    .select(['lease_id', 'lease_worker', 'holder', 'holder_lease'])
    .where('id', '=', taskId)
    .executeTakeFirst();
  return (row && isHolder(caller, row) ? row.lease_worker : undefined) ?? caller.client.name;
}
