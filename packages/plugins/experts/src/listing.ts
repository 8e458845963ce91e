import { roles } from './roles/roles.ts';
import type { ExpertsState } from './state.ts';

/** Beyond it, only how many there are. */
const MAX_CREATED = 10_000;

/** The roles and who was created, as tool and resource tell of them. */
export async function everyExpert({ created: store }: ExpertsState, user: string | undefined) {
  const { experts: created, total } = await store.list(MAX_CREATED, user);
  return {
    experts: roles.map(({ role, description, capabilities }) => ({
      role,
      description,
      capabilities: [...capabilities],
    })),
    created: created.map(({ instructions: _, ...expert }) => expert),
    ...(total > created.length ? { createdTotal: total } : {}),
    count: roles.length,
  };
}
