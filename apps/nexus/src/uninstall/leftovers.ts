import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GitFailure, git } from '@nexus/git';
import { hashIdentity, type MeetingPoint } from '@nexus/transports/ipc';
import { stateDir, userConfigDir } from '../config/places.ts';
import { findHook, stateOf } from '../guard/hook.ts';
import { keptIdFile } from '../project/claim.ts';
import { findRepository } from '../project/repository.ts';
import { projectFolders } from '../project/state-users.ts';
import type { Location } from '../server/locate.ts';
import { recordFile } from '../trust/trust-record.ts';

/** Something that Nexus has left on this machine. */
export interface Leftover {
  /** What it is, and where, for a person. */
  readonly what: string;
  remove(): Promise<void>;
}

export interface LeftoversOf {
  readonly location: Location;
  /** Where its processes meet, of this build and of others. */
  readonly points: readonly MeetingPoint[];
  /** Places that the user may have trusted. */
  readonly trusted: readonly string[];
  /** Where it is known which audit trail lies in the state of the project. */
  readonly knownTrail: string;
  /** Also what is of all projects: their state, what was trusted, the key that signs audit trails. */
  readonly ofAll: boolean;
}

/** What is there, in the order in which it is to be taken away: what git knows of a folder goes before the folder. */
export async function leftovers(of: LeftoversOf): Promise<readonly Leftover[]> {
  const { location, points, trusted, knownTrail, ofAll } = of;
  const { projectRoot, dataDir } = location;
  const folders = [
    { projectRoot, dataDir },
    ...(ofAll ? allDataDirs().flatMap(knownProjects) : knownProjects(dataDir)),
  ];
  const inFolders: Leftover[] = [];
  for (const each of folders) inFolders.push(...(await inRepository(each)));
  const all = [
    ...inFolders,
    ...trusted.map(recordFile).flatMap((file, at) => path(`what you said of ${trusted[at]}`, file)),
    ...points.flatMap(socketFiles),
    ...path('the state of the project: database, copies, audit trail, worktrees', dataDir),
    ...path('the note of which audit trail was there', knownTrail),
    ...(ofAll
      ? [
          ...path('the state of all projects, and all that was trusted', stateDir()),
          ...path('your own settings, and the key that signs audit trails', userConfigDir()),
          ...(points[0] ? socketFolder(points[0]) : []),
        ]
      : []),
  ];
  return [...new Map(all.map((each) => [each.what, each])).values()];
}

/** The state of every project that has none of its own choice by `NEXUS_DATA_DIR`. */
export function allDataDirs(): string[] {
  const folder = join(stateDir(), 'projects');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

interface KnownProject {
  readonly projectRoot: string;
  readonly dataDir: string;
}

function knownProjects(dataDir: string): KnownProject[] {
  return projectFolders(dataDir).map((projectRoot) => ({ projectRoot, dataDir }));
}

async function inRepository({ projectRoot, dataDir }: KnownProject): Promise<Leftover[]> {
  const repository = existsSync(projectRoot) ? findRepository(projectRoot) : undefined;
  if (!repository) return [];
  return [
    ...(await gitLeftovers(repository.top, dataDir)),
    ...(await hookLeftover(repository.top)),
    ...path('the id of the project', keptIdFile(repository)),
  ];
}

function path(what: string, file: string): Leftover[] {
  if (!existsSync(file)) return [];
  return [
    { what: `${what}: ${file}`, remove: () => rm(file, { recursive: true, force: true, maxRetries: 5 }) },
  ];
}

/** One that is empty was made by whoever looked. */
function socketFolder({ folder }: MeetingPoint): Leftover[] {
  const isEmpty = existsSync(folder) && readdirSync(folder).length === 0;
  return isEmpty ? [] : path('the sockets of all projects', folder);
}

/** Lock, pointer and sockets are named after whom they bring together. */
function socketFiles({ folder, identity }: MeetingPoint): Leftover[] {
  const hash = hashIdentity(identity);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => name.startsWith(`${hash}.`))
    .flatMap((name) => path('where its processes meet', join(folder, name)));
}

/** Worktrees below the data directory, and the branches that work was left on. */
async function gitLeftovers(treeTop: string, dataDir: string): Promise<Leftover[]> {
  const signal = AbortSignal.timeout(GIT_MS);
  const run = (args: readonly string[]) => git({ treeTop }, args, { signal });
  const ask = (args: readonly string[]) =>
    run(args).catch((error: unknown) => {
      // A repository that git does not read has none of them.
      if (error instanceof GitFailure) return '';
      throw error;
    });
  const listed = await ask(['worktree', 'list', '--porcelain']);
  const worktrees = listed
    .split('\n')
    .flatMap((line) => /^worktree (.+)$/.exec(line)?.[1] ?? [])
    .filter((folder) => folder.startsWith(join(dataDir, 'workflows', 'worktrees')));
  const format = '--format=%(refname:short)%09%(contents:subject)';
  const branches = (await ask(['for-each-ref', format, 'refs/heads/nexus/'])).split('\n').filter(Boolean);
  return [
    ...worktrees.map((folder) => ({
      what: `a worktree: ${folder}`,
      remove: async () => void (await run(['worktree', 'remove', '--force', '--force', folder])),
    })),
    ...branches.map((line) => {
      const [branch = '', subject = ''] = line.split('\t');
      return {
        what: `a branch with work: ${branch} (${subject}) in ${treeTop}`,
        remove: async () => void (await run(['branch', '--delete', '--force', branch])),
      };
    }),
  ];
}

/** The hook of `nexus guard`; another is the user's. */
async function hookLeftover(treeTop: string): Promise<Leftover[]> {
  const place = await findHook({ treeTop }, AbortSignal.timeout(GIT_MS)).catch((error: unknown) => {
    if (error instanceof GitFailure) return undefined;
    throw error;
  });
  return place && stateOf(place.file) === 'ours' ? path('the hook that guards commits', place.file) : [];
}

const GIT_MS = 60_000;
