import type { CallContext } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';

/** Who is named beside a note: the worker whose lease the session holds, else the session's client. */
export async function authorOf(
  { db, holds }: Bus,
  { taskId, session, client }: Pick<CallContext, 'session' | 'client'> & { readonly taskId: string },
): Promise<string> {
  const row = await db
    .selectFrom('bus_tasks')
    .select(['lease_id', 'lease_worker'])
    .where('id', '=', taskId)
    .executeTakeFirst();
  const isHolder = holds.hasLease(session, row?.lease_id ?? null);
  return (isHolder ? row?.lease_worker : undefined) ?? client.name;
}
