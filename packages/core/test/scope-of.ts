import { createSessionScope, type OwnedScope } from '../src/session/session-scope.ts';

const scopes = new Map<string, OwnedScope>();

/** The session of that name that goes on, or a new one. */
export function scopeOf(id: string): OwnedScope {
  const known = scopes.get(id);
  if (known && !known.hasEnded) return known;
  const scope = createSessionScope({ id });
  scopes.set(id, scope);
  return scope;
}
