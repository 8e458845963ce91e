import type { NamesLookedUp } from '@nexus/plugin-sdk';
import { type ExpertRole, roleOf } from '../roles/roles.ts';

/**
 * What was looked up, with those alone as missing that its author can only have invented: whoever proposes names
 * functions that are yet to be made, which stay marked and speak against nothing.
 */
export function inventedOf(named: NamesLookedUp, role: ExpertRole): NamesLookedUp {
  const { missing, missingFiles = missing } = named;
  return roleOf(role).proposes ? { ...named, missing: missingFiles } : named;
}
