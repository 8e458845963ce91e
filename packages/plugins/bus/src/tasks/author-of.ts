import type { CallContext } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';
import { isHolder } from '../session-holds.ts';

/** Who is named beside a note: the worker whose lease the session holds, else the session's client. */
export async function authorOf(
  { db }: Bus,
  { taskId, session, client }: Pick<CallContext, 'session' | 'client'> & { readonly taskId: string },
): Promise<string> {
  const row = await db
    .selectFrom('bus_tasks')
    .select(['lease_id', 'lease_worker', 'holder', 'holder_lease'])
    .where('id', '=', taskId)
    .executeTakeFirst();
  return (row && isHolder(session, row) ? row.lease_worker : undefined) ?? client.name;
}
