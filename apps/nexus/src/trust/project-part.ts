import { stableHash } from '@nexus/primitives';
import type { Environment } from '../config/expansion/index.ts';
import type { Found } from '../config/find.ts';
import { type Claim, claimsOf } from '../project/claim.ts';
import { CLAIM_NAME, type Part } from './part.ts';
import { isTrusted, trustParts } from './trust-record.ts';

/** No key of a config. */
const CLAIM = '(claimed)';

/** What a repository says that it is, where that opens another machine's rows: on a database that is shared. */
export function projectParts(
  { projectRoot }: Pick<Found, 'projectRoot'>,
  { NEXUS_DATABASE_URL }: Environment,
): Part[] {
  const [claim] = NEXUS_DATABASE_URL ? claimsOf(projectRoot) : [];
  return claim ? [projectPart(claim)] : [];
}

export function isTrustedClaim(claim: Claim): boolean {
  return isTrusted(projectPart(claim));
}

/** An id that Nexus has made itself is nobody else's. */
export function rememberMade(claim: Claim): void {
  try {
    trustParts([projectPart(claim)], []);
  } catch {
    // Where nothing can be remembered, its user is asked once it matters.
  }
}

/** Whether a part is a repository's word, and not a config's. */
export function isClaim({ path }: Part): boolean {
  return path[0] === 'project' && path[1] === CLAIM;
}

function projectPart({ id, from, place }: Claim): Part {
  const says = from === 'remote' ? 'by its remote’s address' : 'by an id in its .git';
  return {
    place,
    path: ['project', CLAIM],
    name: `${CLAIM_NAME}${id}`,
    lines: [
      `is project ${id} ${says}:`,
      '  reads and writes the memory, tasks, jobs, runs and pins that the shared database holds of it',
    ],
    hash: stableHash(id),
  };
}
