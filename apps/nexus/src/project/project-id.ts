import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { remoteId } from './remote-id.ts';
import { findRepository, type Repository, remoteOf } from './repository.ts';

/** A project, and why it is called so. */
export interface Project {
  /** The same on every machine that works on the project: what its tables go by on a shared database. */
  readonly id: string;
  readonly from: 'environment' | 'config' | 'remote' | 'made';
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
  if (remote) return { id: `${remote}${within}`, from: 'remote' };
  return { id: `${keptId(place, repository)}${within}`, from: 'made' };
}

function keptId({ projectRoot, dataDir }: ProjectPlace, repository: Repository | undefined): string {
  const name = createHash('sha256').update(projectRoot).digest('hex').slice(0, 16);
  // One data directory may serve several folders.
  const inDataDir = join(dataDir, 'project-ids', name);
  if (!repository) return readOrMake(inDataDir);
  try {
    return readOrMake(join(repository.gitDir, 'nexus-project-id'));
  } catch {
    return readOrMake(inDataDir); // a repository that may only be read
  }
}

function readOrMake(file: string): string {
  try {
    const kept = readFileSync(file, 'utf8').trim();
    if (kept) return kept;
  } catch {
    // Not made yet.
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    const made = `made-${randomUUID()}`;
    writeFileSync(file, `${made}\n`, { flag: 'wx', mode: 0o600 });
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFileSync(file, 'utf8').trim(); // another process was first
  }
}
