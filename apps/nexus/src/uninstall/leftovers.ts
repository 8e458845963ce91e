import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { GitFailure, git } from '@nexus/git';
import { isMadeBranch } from '@nexus/plugin-workflows/branch-names';
import { isInside } from '@nexus/primitives';
import { hashIdentity, type MeetingPoint } from '@nexus/transports/ipc';
import { FILE_NAMES } from '../config/find.ts';
import { stateDir, userConfigDir, dataDir as usualDataDir } from '../config/places.ts';
import { findHook, stateOf } from '../guard/hook.ts';
import { keptIdFile } from '../project/claim.ts';
import { findRepository } from '../project/repository.ts';
import { projectFolders } from '../project/state-users.ts';
import type { Location } from '../server/locate.ts';
import { count } from '../terminal/count.ts';
import { recordFile } from '../trust/trust-record.ts';
import {
  BESIDE_SETTINGS,
  BY_CONTENT,
  IN_DATA_DIR,
  IN_RUNTIME_DIR,
  IN_STATE_DIR,
  isMadeWorktree,
  type MadeNames,
} from './made-names.ts';
import { isSpared, type OwnIn, ownFiles, takeOwn } from './own-files.ts';

/** Something that Nexus has left on this machine. */
export interface Leftover {
  /** What it is, and where, for a person. */
  readonly what: string;
  remove(): Promise<void>;
}

export interface Leftovers {
  readonly found: readonly Leftover[];
  /** What lies beside it and is not Nexus's, for a person. */
  readonly others: readonly string[];
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
export async function leftovers(of: LeftoversOf): Promise<Leftovers> {
  const { location, points, trusted, knownTrail, ofAll } = of;
  const { projectRoot, dataDir } = location;
  const projects = [
    { projectRoot, dataDir },
    ...(ofAll ? allDataDirs().flatMap(knownProjects) : besides(projectRoot, dataDir)),
  ];
  const inRepositories: Leftovers[] = [];
  for (const each of projects) inRepositories.push(await inRepository(each));
  const spared = [homedir(), process.cwd(), ...projects.map((each) => each.projectRoot)];
  const folders = [
    inDataDir(location, spared),
    ...(ofAll
      ? [
          inFolder('the state of all projects, and all that was trusted', {
            folder: stateDir(),
            names: IN_STATE_DIR,
            spared,
          }),
          inFolder('your own settings, and the key that signs audit trails', {
            folder: userConfigDir(),
            names: [...FILE_NAMES.map((name) => name.replaceAll('.', '\\.')), ...BESIDE_SETTINGS],
            spared,
          }),
          ...points
            .slice(0, 1)
            .map(({ folder }) =>
              inFolder('the sockets of all projects', { folder, names: IN_RUNTIME_DIR, spared }),
            ),
        ]
      : []),
  ];
  const all = [
    ...inRepositories.flatMap(({ found }) => found),
    ...trusted.map(recordFile).flatMap((path, at) => file(`what you said of ${trusted[at]}`, path)),
    ...points.flatMap(socketFiles),
    ...file('the note of which audit trail was there', knownTrail),
    ...folders.flatMap(({ found }) => found),
  ];
  const others = [...inRepositories, ...folders].flatMap((each) => each.others);
  return {
    found: [...new Map(all.map((each) => [each.what, each])).values()],
    others: [...new Set(others)],
  };
}

const STATE = 'the state of the project: database, copies, audit trail, worktrees';

/** A folder that a setting names may be anybody's, such as the project itself. */
function inDataDir({ projectRoot, dataDir }: Location, spared: readonly string[]): Leftovers {
  const isNexusAlone = dataDir === usualDataDir(projectRoot, undefined) && !isSpared(dataDir, spared);
  if (!isNexusAlone) {
    const names = hasBeenUsed(dataDir) ? [...IN_DATA_DIR, ...inFilesOfOurs(dataDir)] : [];
    return inFolder(STATE, { folder: dataDir, names, spared });
  }
  const remove = () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  return { found: existsSync(dataDir) ? [{ what: `${STATE}: ${dataDir}`, remove }] : [], others: [] };
}

/** Names alone prove nothing in a folder where Nexus never began: what it makes first of all is there. */
function hasBeenUsed(dataDir: string): boolean {
  return existsSync(join(dataDir, 'nexus.sqlite')) || projectFolders(dataDir).length > 0;
}

/** Of the names that others give as well, those of files that hold what Nexus writes there. */
function inFilesOfOurs(dataDir: string): MadeNames {
  return Object.entries(BY_CONTENT).flatMap(([name, isOurs]) => {
    const file = join(dataDir, name);
    const isFile = lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
    return isFile && isOurs(readFileSync(file, 'utf8')) ? [name.replaceAll('.', '\\.')] : [];
  });
}

function inFolder(what: string, of: OwnIn): Leftovers {
  const { own, others } = ownFiles(of);
  return {
    // Whatever ends until then writes more of it.
    found: own.length === 0 ? [] : [{ what: `${what}: ${of.folder}`, remove: () => takeOwn(of) }],
    others: others === 0 ? [] : [`${count(others, 'other file')} in ${of.folder}`],
  };
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

/** A state in the project's own folder is no record of others: a repository may have come with it. */
function besides(projectRoot: string, dataDir: string): KnownProject[] {
  return isInside({ path: dataDir, folder: projectRoot }) ? [] : knownProjects(dataDir);
}

function knownProjects(dataDir: string): KnownProject[] {
  return projectFolders(dataDir).map((projectRoot) => ({ projectRoot, dataDir }));
}

async function inRepository({ projectRoot, dataDir }: KnownProject): Promise<Leftovers> {
  const repository = existsSync(projectRoot) ? findRepository(projectRoot) : undefined;
  if (!repository) return { found: [], others: [] };
  const { found, others } = await gitLeftovers(repository.top, dataDir);
  return {
    found: [
      ...found,
      ...(await hookLeftover(repository.top)),
      ...file('the id of the project', keptIdFile(repository)),
    ],
    others,
  };
}

function file(what: string, path: string): Leftover[] {
  if (!existsSync(path)) return [];
  return [{ what: `${what}: ${path}`, remove: () => rm(path, { force: true, maxRetries: 5 }) }];
}

/** Lock, pointer and sockets are named after whom they bring together. */
function socketFiles({ folder, identity }: MeetingPoint): Leftover[] {
  const hash = hashIdentity(identity);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => name.startsWith(`${hash}.`))
    .flatMap((name) => file('where its processes meet', join(folder, name)));
}

/** Worktrees below the data directory, and the branches that work was left on. */
async function gitLeftovers(treeTop: string, dataDir: string): Promise<Leftovers> {
  const signal = AbortSignal.timeout(GIT_MS);
  const run = (args: readonly string[]) => git({ treeTop }, args, { signal });
  const ask = (args: readonly string[]) =>
    run(args).catch((error: unknown) => {
      // A repository that git does not read has none of them.
      if (error instanceof GitFailure) return '';
      throw error;
    });
  const real = existsSync(dataDir) ? realpathSync(dataDir) : dataDir;
  const listed = await ask(['worktree', 'list', '--porcelain']);
  const worktrees = listed
    .split('\n')
    .flatMap((line) => /^worktree (.+)$/.exec(line)?.[1] ?? [])
    .filter((folder) => isMadeWorktree(relative(real, folder)));
  const format = '--format=%(refname:short)%09%(contents:subject)';
  const branches = (await ask(['for-each-ref', format, 'refs/heads/nexus/']))
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'))
    .map(([branch = '', subject = '']) => ({ branch, subject }));
  const found = [
    ...worktrees.map((folder) => ({
      what: `a worktree: ${folder}`,
      remove: async () => void (await run(['worktree', 'remove', '--force', '--force', folder])),
    })),
    ...branches
      .filter(({ branch }) => isMadeBranch(branch))
      .map(({ branch, subject }) => ({
        what: `a branch with work: ${branch} (${subject}) in ${treeTop}`,
        remove: async () => void (await run(['branch', '--delete', '--force', branch])),
      })),
  ];
  const others = branches
    .filter(({ branch }) => !isMadeBranch(branch))
    .map(({ branch }) => `the branch ${branch} in ${treeTop}, which Nexus did not make`);
  return { found, others };
}

/** The hook of `nexus guard`; another is the user's. */
async function hookLeftover(treeTop: string): Promise<Leftover[]> {
  const place = await findHook({ treeTop }, AbortSignal.timeout(GIT_MS)).catch((error: unknown) => {
    if (error instanceof GitFailure) return undefined;
    throw error;
  });
  return place && stateOf(place.file) === 'ours' ? file('the hook that guards commits', place.file) : [];
}

const GIT_MS = 60_000;
