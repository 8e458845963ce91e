import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { GitFailure } from '@nexus/git';
import { KEPT_MARK } from '@nexus/plugin-workflows/kept-mark';
import { counted } from '@nexus/primitives';
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
  FILES_IN_STATE_DIR,
  IN_DATA_DIR,
  IN_RUNTIME_DIR,
  IN_USUAL_DATA_DIR,
} from '../state/made-names.ts';
import { keeps, type OwnIn, ownFiles, pathIn, takeOwn } from '../state/own-files.ts';
import { realOf } from '../state/real-of.ts';
import { projectFolders } from '../state/state-users.ts';
import { recordFile } from '../trust/trust-record.ts';
import { gitLeftovers } from './git-leftovers.ts';
import type { Leftover, Leftovers } from './leftover.ts';
import type { MetServer } from './servers-in.ts';
import { trackedIn } from './tracked-in.ts';
import { type MadeWorktree, madeWorktrees } from './worktrees.ts';

export interface AllLeftovers extends Leftovers {
  /** Worktrees that Nexus made and that hold what is nowhere else: they stay. */
  readonly kept: readonly MadeWorktree[];
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
  /** Servers that meet in the same folder and are of another home: they stay, with their sockets and what they work on. */
  readonly ofAnotherHome: readonly MetServer[];
}

/** What is there, in the order in which it is to be taken away: what git knows of a folder goes before the folder. */
export async function leftovers(of: LeftoversOf): Promise<AllLeftovers> {
  const { location, points, trusted, knownTrail, ofAll, ofAnotherHome } = of;
  const { projectRoot, dataDir } = location;
  const dataDirs = ofAll ? [dataDir, ...allDataDirs()] : [dataDir];
  const projects = [{ projectRoot, dataDir }, ...dataDirs.flatMap(knownProjects)];
  const worktrees: MadeWorktree[] = [];
  for (const each of onePerPlace(dataDirs)) worktrees.push(...(await ownWorktrees(each)));
  const kept = worktrees.filter(({ holds }) => holds !== undefined);
  const going = worktrees.filter((each) => !kept.includes(each));
  const inRepositories: Leftovers[] = [];
  const shared = new Set(ofAnotherHome.flatMap(repositoryOf));
  for (const each of projects) inRepositories.push(await inRepository(each, { going, shared }));
  // What is of one project alone touches those alone that are at work in it.
  const own = new Set(projects.flatMap(({ projectRoot }) => sharedFolderOf(projectRoot) ?? []));
  const staying = ofAll
    ? ofAnotherHome
    : ofAnotherHome.filter((each) => repositoryOf(each).some((at) => own.has(at)));
  const spared = [homedir(), process.cwd(), ...projects.map((each) => each.projectRoot)];
  // The usual ones of other projects go with the state directory.
  const looked = dataDirs.filter((each, at) => at === 0 || isChosen(each));
  const inDataDirs: Leftovers[] = [];
  for (const each of onePerPlace(looked)) inDataDirs.push(await inDataDir(each, { spared, worktrees: kept }));
  const keptIn = kept.flatMap((each) => namesOf(stateDir(), each));
  const folders = [
    ...inDataDirs,
    ...(ofAll
      ? await Promise.all([
          inUsual('the state of all projects, and all that was trusted', {
            folder: stateDir(),
            names: FILES_IN_STATE_DIR,
            spared,
            kept: [...keptIn, ...looked.filter(isLink).map((each) => pathIn(stateDir(), each))],
          }),
          inUsual('your own settings, and the key that signs audit trails', {
            folder: userConfigDir(),
            names: [...FILE_NAMES.map((name) => name.replaceAll('.', '\\.')), ...BESIDE_SETTINGS],
            spared,
          }),
          ...points.slice(0, 1).map(({ folder }) =>
            inFolder('the sockets of all projects', {
              folder,
              names: IN_RUNTIME_DIR,
              spared,
              kept: ofAnotherHome.flatMap(({ hash }) => namesAfter(hash, folder)),
            }),
          ),
        ])
      : []),
  ];
  const all = [
    ...going.map(({ path, remove }) => ({ what: `a worktree: ${path}`, remove })),
    ...inRepositories.flatMap(({ found }) => found),
    ...trusted.map(recordFile).flatMap((path, at) => file(`what you trusted of ${trusted[at]}`, path)),
    ...points.flatMap(socketFiles),
    ...file('the note of which audit trail was there', knownTrail),
    ...folders.flatMap(({ found }) => found),
  ];
  const others = [
    ...kept.map(
      ({ path, holds }) =>
        `the worktree ${path}, since ${holds}: save that, then remove it by \`git worktree remove\``,
    ),
    ...staying.map(
      ({ pid, point }) =>
        `process ${pid}, a server of another home: its state is ${point?.identity.dataDir ?? 'not known'}`,
    ),
    ...[...inRepositories, ...folders].flatMap((each) => each.others),
  ];
  return {
    found: [...new Map(all.map((each) => [each.what, each])).values()],
    others: [...new Set(others)],
    kept,
  };
}

const STATE = 'the state of the project: database, copies, audit trail, worktrees';

/** Links and settings lead to a folder by several names. */
function onePerPlace(dataDirs: readonly string[]): string[] {
  return [...new Map(dataDirs.toReversed().map((each) => [realOf(each), each])).values()].toReversed();
}

interface Staying {
  /** Places that no folder is taken with. */
  readonly spared: readonly string[];
  readonly worktrees: readonly MadeWorktree[];
}

async function inDataDir(dataDir: string, staying: Staying): Promise<Leftovers> {
  if (isChosen(dataDir)) return inChosen(dataDir, staying);
  const kept = staying.worktrees.flatMap((each) => namesOf(dataDir, each));
  return inUsual(STATE, { folder: dataDir, names: IN_USUAL_DATA_DIR, spared: staying.spared, kept });
}

/** A folder by a platform's custom: others may have put something there all the same, or keep it in git. */
async function inUsual(what: string, of: OwnIn): Promise<Leftovers> {
  const tracked = await trackedIn(of.folder, ownFiles(of).own);
  return inFolder(what, { ...of, kept: [...(of.kept ?? []), ...tracked] });
}

/** Worktrees in a data directory that are Nexus's. */
async function ownWorktrees(dataDir: string): Promise<MadeWorktree[]> {
  const record = recordOf(dataDir);
  if (isChosen(dataDir) && !record) return [];
  const found = await madeWorktrees(dataDir);
  const paths = found.map(({ path }) => path);
  const isKept = keeps([...(record?.before ?? []), ...(await trackedIn(dataDir, paths))]);
  return found.filter(({ path }) => !isKept(pathIn(dataDir, path)));
}

/** What a worktree that stays has in a folder: itself, and the files that say whose it is and that it stays. */
function namesOf(folder: string, { path }: MadeWorktree): string[] {
  const ends = ['', '.held-by.json', KEPT_MARK];
  // Also as it is called, for a link on the way to it.
  return ends.flatMap((end) => [pathIn(realOf(folder), `${realOf(path)}${end}`), pathIn(folder, path + end)]);
}

/** A folder that a setting or a link names may be anybody's: what Nexus made there is told by its own record. */
async function inChosen(dataDir: string, { spared, worktrees }: Staying): Promise<Leftovers> {
  const record = recordOf(dataDir);
  const links = isLink(dataDir)
    ? [`the link ${dataDir}, and the folder ${realOf(dataDir)} that it leads to`]
    : [];
  if (!record) {
    const isThere = ownFiles({ folder: dataDir, names: [], spared }).others > 0;
    const unknown = `what is in ${dataDir}: there is no record that Nexus used this folder from here, so remove by hand what you know to be Nexus’s`;
    return { found: [], others: isThere ? [unknown, ...links] : links };
  }
  const { before } = record;
  const names = { folder: dataDir, names: IN_DATA_DIR, spared };
  const { own } = ownFiles(names);
  const foreign = [...before, ...(await trackedIn(dataDir, own))];
  const kept = [...foreign, ...worktrees.flatMap((each) => namesOf(dataDir, each))];
  const { found, others } = inFolder(STATE, { ...names, kept });
  const forget = {
    what: `the record of that folder’s first use: ${dataDir}`,
    async remove() {
      if (ownFiles({ ...names, kept }).own.length > 0) throw new Error('what it tells of is still there');
      await forgetDataDir(dataDir);
    },
  };
  const isKept = keeps(foreign);
  const left = own.filter((path) => isKept(pathIn(dataDir, path))).length;
  const named = `${counted(left, 'thing')} with a name of Nexus’s in ${dataDir}, there before Nexus was first used with it or tracked by git: remove by hand what an older version left`;
  return {
    found: [...found, forget],
    others: [...others, ...(left > 0 ? [named] : []), ...links],
  };
}

function inFolder(what: string, of: OwnIn): Leftovers {
  const { own, others, links } = ownFiles(of);
  // A kill may have left the folder alone; that of the sockets is made by this very command.
  const isEmpty = others === 0 && of.names !== IN_RUNTIME_DIR && existsSync(of.folder);
  const isThere = own.length > 0 || isEmpty;
  return {
    // Whatever ends until then writes more of it.
    found: !isThere ? [] : [{ what: `${what}: ${of.folder}`, remove: () => takeOwn(of) }],
    others: [
      ...(others === 0 ? [] : [`${counted(others, 'other file')} in ${of.folder}`]),
      ...links.filter(existsSync).map(behind),
    ],
  };
}

/** Of a link that is taken away. */
function behind(link: string): string {
  return `what is in ${realOf(link)}, where the link ${link} leads, since it may be anybody’s: the link goes, and from there remove by hand what you know to be Nexus’s`;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
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

/** The folder in which a repository has its branches, its hooks and the id: one for all of its worktrees. */
function sharedFolderOf(projectRoot: string): string | undefined {
  const repository = existsSync(projectRoot) ? findRepository(projectRoot) : undefined;
  return repository && realOf(repository.gitDir);
}

function repositoryOf({ point }: MetServer): string[] {
  const folder = point && sharedFolderOf(point.identity.projectRoot);
  return folder === undefined ? [] : [folder];
}

async function inRepository(
  { projectRoot, dataDir }: KnownProject,
  { going, shared }: { readonly going: readonly MadeWorktree[]; readonly shared: ReadonlySet<string> },
): Promise<Leftovers> {
  const repository = existsSync(projectRoot) ? findRepository(projectRoot) : undefined;
  if (!repository) return { found: [], others: [] };
  if (shared.has(realOf(repository.gitDir))) {
    const what = `the id, the hook and the branches of Nexus in ${repository.top}, where a server of another home is at work`;
    return { found: [], others: [what] };
  }
  const { found, others } = await gitLeftovers(repository.top, { dataDir, going });
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
  return namesAfter(hashIdentity(identity), folder).flatMap((name) =>
    file('where its processes meet', join(folder, name)),
  );
}

function namesAfter(hash: string, folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.startsWith(`${hash}.`));
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
