import type { ClientOfUser, Relisting } from '@nexus/core';
import type { SessionScope } from '@nexus/plugin-sdk';
import type { Config } from '../config/schema.ts';

/** What `tools/list` has: every tool, or the few that find and use all others. */
export type Profile = Exclude<Config['profile'], 'auto'>;

/** Which profile each session has, for as long as it lasts. */
export interface Profiles {
  /** Settles that of a session, by what is known of its client. */
  begin(session: SessionScope, client: ClientOfUser): Profile;
  /** That of a session, or of the one that it works for. */
  of(session: SessionScope | undefined): Profile;
}

/**
 * As the config says. Where it leaves that open, few tools are listed to clients whose models are known to see a list
 * that changes: tools join it as toolboxes are opened. Others have every tool from the start.
 */
export function createProfiles(
  configured: Config['profile'],
  { seesChanges }: Pick<Relisting, 'seesChanges'>,
): Profiles {
  const settled = new WeakMap<SessionScope, Profile>();
  const of = (session: SessionScope | undefined): Profile => {
    if (configured !== 'auto') return configured;
    return session ? (settled.get(session) ?? of(session.outer)) : 'full';
  };
  return {
    begin(session, client) {
      const profile = configured === 'auto' ? (seesChanges(client) ? 'lean' : 'full') : configured;
      settled.set(session, profile);
      return profile;
    },
    of,
  };
}
