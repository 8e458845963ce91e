import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { GitFailure, git } from '@nexus/git';
import { isMadeBranch } from '@nexus/plugin-workflows/branch-names';
import { hashIdentity, type MeetingPoint } from '@nexus/transports/ipc';
import { FILE_NAMES } from '../config/find.ts';
import { stateDir, userConfigDir } from '../config/places.ts';
import { findHook, stateOf } from '../guard/hook.ts';
import { keptIdFile } from '../project/claim.ts';
import { findRepository } from '../project/repository.ts';
import type { Location } from '../server/locate.ts';
import { chosenDataDirs, forgetDataDir, isChosen, recordOf } from '../state/data-dir-record.ts';
import {
  BESIDE_SETTINGS,
  IN_DATA_DIR,
  IN_RUNTIME_DIR,
  IN_STATE_DIR,
  isMadeWorktree,
} from '../state/made-names.ts';
import { isSpared, keeps, type OwnIn, ownFiles, pathIn, takeOwn } from '../state/own-files.ts';
import { realOf } from '../state/real-of.ts';
import { projectFolders } from '../state/state-users.ts';
import { count } from '../terminal/count.ts';
import { recordFile } from '../trust/trust-record.ts';
import { trackedIn } from './tracked-in.ts';

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
  const dataDirs = ofAll ? [dataDir, ...allDataDirs()] : [dataDir];
  const projects = [{ projectRoot, dataDir }, ...dataDirs.flatMap(knownProjects)];
  const inRepositories: Leftovers[] = [];
  for (const each of projects) inRepositories.push(await inRepository(each));
  const spared = [homedir(), process.cwd(), ...projects.map((each) => each.projectRoot)];
  // The usual ones of other projects go with the state directory.
  const looked = dataDirs.filter((each, at) => at === 0 || isChosen(each));
  const inDataDirs: Leftovers[] = [];
  for (const each of onePerPlace(looked)) inDataDirs.push(await inDataDir(each, spared));
  const folders = [
    ...inDataDirs,
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

/** Links and settings lead to a folder by several names. */
function onePerPlace(dataDirs: readonly string[]): string[] {
  return [...new Map(dataDirs.toReversed().map((each) => [realOf(each), each])).values()].toReversed();
}

async function inDataDir(dataDir: string, spared: readonly string[]): Promise<Leftovers> {
  if (isChosen(dataDir)) return inChosen(dataDir, spared);
  if (isSpared(dataDir, spared)) return inFolder(STATE, { folder: dataDir, names: IN_DATA_DIR, spared });
  const remove = () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  return { found: existsSync(dataDir) ? [{ what: `${STATE}: ${dataDir}`, remove }] : [], others: [] };
}

/** A folder that a setting or a link names may be anybody's: what Nexus made there is told by its own record. */
async function inChosen(dataDir: string, spared: readonly string[]): Promise<Leftovers> {
  const record = recordOf(dataDir);
  const isLink = lstatSync(dataDir, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const links = isLink ? [`the link ${dataDir}, and the folder ${realOf(dataDir)} that it leads to`] : [];
  if (!record) {
    const isThere = ownFiles({ folder: dataDir, names: [], spared }).others > 0;
    const unknown = `what is in ${dataDir}: there is no record that Nexus used this folder from here, so remove by hand what you know to be Nexus’s`;
    return { found: [], others: isThere ? [unknown, ...links] : links };
  }
  const { before } = record;
  const names = { folder: dataDir, names: IN_DATA_DIR, spared };
  const { own } = ownFiles(names);
  const kept = [...before, ...(await trackedIn(dataDir, own))];
  const { found, others } = inFolder(STATE, { ...names, kept });
  const forget = {
    what: `the record of that folder’s first use: ${dataDir}`,
    async remove() {
      if (ownFiles({ ...names, kept }).own.length > 0) throw new Error('what it tells of is still there');
      await forgetDataDir(dataDir);
    },
  };
  const isKept = keeps(kept);
  const left = own.filter((path) => isKept(pathIn(dataDir, path))).length;
  const named = `${count(left, 'thing')} with a name of Nexus’s in ${dataDir}, there before Nexus was first used with it or tracked by git: remove by hand what an older version left`;
  return {
    found: [...found, forget],
    others: [...others, ...(left > 0 ? [named] : []), ...links],
  };
}

function inFolder(what: string, of: OwnIn): Leftovers {
  const { own, others } = ownFiles(of);
  return {
    // Whatever ends until then writes more of it.
    found: own.length === 0 ? [] : [{ what: `${what}: ${of.folder}`, remove: () => takeOwn(of) }],
    others: others === 0 ? [] : [`${count(others, 'other file')} in ${of.folder}`],
  };
}

/** The state of every project, where its place is known. */
export function allDataDirs(): string[] {
  const folder = join(stateDir(), 'projects');
  const usual = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return [...usual, ...chosenDataDirs()];
}

interface KnownProject {
  readonly projectRoot: string;
  readonly dataDir: string;
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
  const real = realOf(dataDir);
  const isKept = keeps(recordOf(dataDir)?.before ?? []);
  const isKnown = !isChosen(dataDir) || recordOf(dataDir) !== undefined;
  const listed = await ask(['worktree', 'list', '--porcelain']);
  const worktrees = listed
    .split('\n')
    .flatMap((line) => /^worktree (.+)$/.exec(line)?.[1] ?? [])
    .filter((folder) => isKnown && isMadeWorktree(pathIn(real, folder)) && !isKept(pathIn(real, folder)));
  const format = '--format=%(refname:short)%09%(worktreepath)%09%(contents:subject)';
  const branches = (await ask(['for-each-ref', format, 'refs/heads/nexus/']))
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'))
    .map(([branch = '', usedIn = '', subject = '']) => ({ branch, usedIn, subject }));
  const isOurs = ({ branch }: { branch: string }) => isMadeBranch(branch);
  const isInUse = ({ usedIn }: { usedIn: string }) => usedIn !== '' && !worktrees.includes(usedIn);
  const found = [
    ...worktrees.map((folder) => ({
      what: `a worktree: ${folder}`,
      remove: async () => void (await run(['worktree', 'remove', '--force', '--force', folder])),
    })),
    ...branches
      .filter((each) => isOurs(each) && !isInUse(each))
      .map(({ branch, subject }) => ({
        what: `a branch with work: ${branch} (${subject}) in ${treeTop}`,
        remove: async () => void (await run(['branch', '--delete', '--force', branch])),
      })),
  ];
  const others = branches.flatMap((each) => {
    const branch = `the branch ${each.branch} in ${treeTop}`;
    if (!isOurs(each)) return [`${branch}, which Nexus did not make`];
    return isInUse(each) ? [`${branch}, which is checked out in ${each.usedIn}`] : [];
  });
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
