import { join } from 'node:path';
import { readTextSync } from '@nexus/primitives';
import { remoteId } from './remote-id.ts';
import { findRepository, type Repository, remoteOf } from './repository.ts';

const MAX_ID_BYTES = 1_024;

/** What a repository says that its project is called. Whoever packed the repository wrote that. */
export interface Claim {
  readonly id: string;
  readonly from: 'remote' | 'made';
  /** What the user's word about it is remembered by. */
  readonly place: string;
}

/** Every id that the repository around a project claims: its remote's address, then one that is kept in its `.git`. */
export function claimsOf(projectRoot: string): Claim[] {
  const repository = findRepository(projectRoot);
  if (!repository) return [];
  const { place } = repository;
  const remote = remoteId(remoteOf(repository) ?? '');
  const kept = readMadeId(keptIdFile(repository));
  return [
    ...(remote ? [{ id: within(repository, remote), from: 'remote' as const, place }] : []),
    ...(kept ? [{ id: within(repository, kept), from: 'made' as const, place }] : []),
  ];
}

export function keptIdFile({ gitDir }: Repository): string {
  return join(gitDir, 'nexus-project-id');
}

/** A folder within a repository is a project of its own. */
export function within({ folder }: Pick<Repository, 'folder'>, id: string): string {
  return folder ? `${id}#${folder}` : id;
}

/** @returns undefined for what was not made as an id: another project's name could stand there */
export function readMadeId(file: string): string | undefined {
  try {
    return /^made-[0-9a-f-]{36}$/.exec(readTextSync(file, MAX_ID_BYTES).trim())?.[0];
  } catch {
    return undefined;
  }
}
