import { roles } from './roles/roles.ts';
import type { ExpertsState } from './state.ts';

/** Of one answer; `nextOffset` says where the next begins. */
const MAX_CREATED = 10_000;

/** The roles and who was created, as tool and resource tell of them. */
export async function everyExpert(
  { created: store }: ExpertsState,
  { user, offset = 0 }: { readonly user: string | undefined; readonly offset?: number },
) {
  const { experts: created, total } = await store.list({ limit: MAX_CREATED, offset }, user);
  const nextOffset = offset + created.length;
  return {
    experts: roles.map(({ role, description, capabilities }) => ({
      role,
      description,
      capabilities: [...capabilities],
    })),
    created: created.map(({ instructions: _, ...expert }) => expert),
    ...(total > created.length ? { createdTotal: total } : {}),
    ...(created.length > 0 && nextOffset < total ? { nextOffset } : {}),
    count: roles.length,
  };
}
