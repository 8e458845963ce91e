import { createHash, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { remoteId } from './remote-id.ts';
import { findRepository, type Repository, remoteOf } from './repository.ts';

/** A project, and why it is called so. */
export interface Project {
  /** The same on every machine that works on the project: what its tables go by on a shared database. */
  readonly id: string;
  readonly from: 'environment' | 'config' | 'remote' | 'made';
  /** The made id that it had before its repository had a remote. */
  readonly formerId?: string | undefined;
}

export interface ProjectPlace {
  readonly projectRoot: string;
  readonly dataDir: string;
  /** `NEXUS_PROJECT_ID`. */
  readonly fromEnvironment?: string | undefined;
  /** `project.id` of the config. */
  readonly fromConfig?: string | undefined;
}

/**
 * The project's id: as it was set, else of the repository's remote, else made once and kept in the
 * repository's `.git`, which follows a moved folder, or in the data directory. A folder within a repository
 * is a project of its own.
 */
export function identifyProject(place: ProjectPlace): Project {
  const { fromEnvironment, fromConfig, projectRoot } = place;
  if (fromEnvironment) return { id: fromEnvironment, from: 'environment' };
  if (fromConfig) return { id: fromConfig, from: 'config' };
  const repository = findRepository(projectRoot);
  const within = repository?.folder ? `#${repository.folder}` : '';
  const remote = repository && remoteId(remoteOf(repository) ?? '');
  if (remote) {
    const former = keptFiles(place, repository).map(read).find(Boolean);
    return { id: `${remote}${within}`, from: 'remote', formerId: former && `${former}${within}` };
  }
  return { id: `${keptId(place, repository)}${within}`, from: 'made' };
}

/** Where a made id is kept: the first place that can be written. */
function keptFiles({ projectRoot, dataDir }: ProjectPlace, repository: Repository | undefined): string[] {
  const name = createHash('sha256').update(projectRoot).digest('hex').slice(0, 16);
  // One data directory may serve several folders.
  const inDataDir = join(dataDir, 'project-ids', name);
  return repository ? [join(repository.gitDir, 'nexus-project-id'), inDataDir] : [inDataDir];
}

function keptId(place: ProjectPlace, repository: Repository | undefined): string {
  const files = keptFiles(place, repository);
  const kept = files.map(read).find(Boolean);
  if (kept) return kept;
  const [first = '', second] = files;
  try {
    return make(first);
  } catch (error) {
    if (second === undefined) throw error;
    return make(second); // a repository that may only be read
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
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
    const kept = read(file);
    if (!kept) throw error;
    return kept;
  } finally {
    rmSync(whole);
  }
}
