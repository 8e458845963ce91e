import { createHash, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Claim, claimsOf, keptIdFile, readMadeId, within } from './claim.ts';
import { findRepository } from './repository.ts';

/** A project, and why it is called so. */
export interface Project {
  /** The same on every machine that works on the project: what its tables go by on a shared database. */
  readonly id: string;
  readonly from: 'environment' | 'config' | 'remote' | 'made';
  /** The made id that it had before its repository had a remote, or before its user trusted that. */
  readonly formerId?: string | undefined;
  /** What it would be called, had its user said so. */
  readonly waits?: string | undefined;
}

export interface ProjectPlace {
  readonly projectRoot: string;
  readonly dataDir: string;
  /** `NEXUS_PROJECT_ID`. */
  readonly fromEnvironment?: string | undefined;
  /** `project.id` of the config. */
  readonly fromConfig?: string | undefined;
  /** Whether what the repository says of itself counts. */
  readonly isTrusted: (claim: Claim) => boolean;
  /** Told of an id that was made here and now and put into the repository. */
  readonly onMade: (claim: Claim) => void;
}

/**
 * The project's id: as it was set, else as its repository says (its remote's address, or what was made once and
 * kept in its `.git`, which follows a moved folder) where that may be believed, else made once and kept in the
 * data directory.
 */
export function identifyProject(place: ProjectPlace): Project {
  const { fromEnvironment, fromConfig, projectRoot, isTrusted } = place;
  if (fromEnvironment) return { id: fromEnvironment, from: 'environment' };
  if (fromConfig) return { id: fromConfig, from: 'config' };
  const claims = claimsOf(projectRoot);
  const own = keptHere(place);
  const [first] = claims;
  const made = claims.find((claim) => claim.from === 'made' && isTrusted(claim))?.id ?? own.read();
  if (first && !isTrusted(first)) return { id: made ?? own.make(), from: 'made', waits: first.id };
  if (first?.from !== 'remote') return { id: made ?? makeId(place), from: 'made' };
  return { id: first.id, from: 'remote', ...(made === undefined ? {} : { formerId: made }) };
}

/** In the data directory, which no repository brings along; one may serve several folders. */
function keptHere({ projectRoot, dataDir }: ProjectPlace) {
  const name = createHash('sha256').update(projectRoot).digest('hex').slice(0, 16);
  const file = join(dataDir, 'project-ids', name);
  const folder = findRepository(projectRoot)?.folder ?? '';
  const whole = (id: string | undefined) => id && within({ folder }, id);
  return { read: () => whole(readMadeId(file)), make: () => within({ folder }, make(file)) };
}

function makeId(place: ProjectPlace): string {
  const repository = findRepository(place.projectRoot);
  if (!repository) return keptHere(place).make();
  try {
    const id = within(repository, make(keptIdFile(repository)));
    place.onMade({ id, from: 'made', place: repository.place });
    return id;
  } catch {
    return keptHere(place).make(); // a repository that may only be read
  }
}

function make(file: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const made = `made-${randomUUID()}`;
  const whole = `${file}.${made}`;
  writeFileSync(whole, `${made}\n`, { mode: 0o600 });
  try {
    linkSync(whole, file); // never seen half written, and never over another process's
    return made;
  } catch (error) {
    const kept = readMadeId(file);
    if (!kept) throw error;
    return kept;
  } finally {
    rmSync(whole);
  }
}
