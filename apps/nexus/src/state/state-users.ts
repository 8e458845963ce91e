import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileLock, isLocked, LocksUnsupportedError, tryLockFile } from '@nexus/locks';
import { isAlive } from '@nexus/processes';
import { isChosen, keptOf, recordDataDir } from './data-dir-record.ts';

/** That this process uses the state of a project, seen by every other for as long as it lives. */
export interface StateUse {
  /** Resolves where the state is taken away under this process, or it is asked to end since it will be. */
  readonly taken: Promise<void>;
  leave(): void;
}

const LOOK_MS = 1_000;
const ASKED = '.asked';
/** As {@link lockIn} names them: whatever else lies in a folder of that name is somebody else's. */
const USED_BY = /^\d+\.[0-9a-f]{8}\.lock(?:\.asked)?$/;

/** Says that this process uses the state in `dataDir`, for the project at `projectRoot`. */
export async function useState(dataDir: string, projectRoot: string): Promise<StateUse> {
  recordDataDir(dataDir);
  rememberFolder(dataDir, projectRoot);
  const folder = processesFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Whoever looks at the file just then has a lock of its own on it for that moment.
  const lock = (await lockIn(folder)) ?? (await lockIn(folder));
  if (!lock) return { taken: new Promise(() => {}), leave() {} };
  // The files of those that were killed are removed by whoever looks.
  setTimeout(() => void stateUsers(dataDir).catch(() => {}), LOOK_MS).unref();
  let look: NodeJS.Timeout | undefined;
  const taken = new Promise<void>((resolve) => {
    look = setInterval(() => {
      if (lock.isValid()) return;
      clearInterval(look);
      resolve();
    }, LOOK_MS).unref();
  });
  return {
    taken,
    leave() {
      clearInterval(look);
      lock.release();
    },
  };
}

async function lockIn(folder: string): Promise<FileLock | undefined> {
  // Processes of two containers that share the folder may have one pid.
  const file = join(folder, `${process.pid}.${randomBytes(4).toString('hex')}.lock`);
  try {
    return await tryLockFile(file);
  } catch (error) {
    if (error instanceof LocksUnsupportedError) return undefined;
    throw error;
  }
}

/** A process that uses a project's state. */
export interface StateUser {
  /** As its own system counts: another container's is not this one's. */
  readonly pid: number;
  /** A server, a chat and a list that is kept up to date end when they next look; another command goes on to its end. */
  askToEnd(): void;
}

export async function stateUsers(dataDir: string): Promise<StateUser[]> {
  const folder = processesFolder(dataDir);
  // Who looks at whether a file is locked removes one that is not.
  const files = namesIn(folder).filter((name) => USED_BY.test(name) && isEmpty(join(folder, name)));
  const users = await Promise.all(
    files.map(async (name) => {
      const pid = Number.parseInt(name, 10);
      const isThere = await isLocked(join(folder, name)).catch((error: unknown) => {
        if (error instanceof LocksUnsupportedError) return isAlive(pid);
        throw error;
      });
      const askToEnd = () => {
        // Its file is no longer where it looks for it, and still tells whether it lives.
        if (!name.endsWith(ASKED)) renameSync(join(folder, name), join(folder, `${name}${ASKED}`));
      };
      return isThere ? [{ pid, askToEnd }] : [];
    }),
  );
  return users.flat();
}

/** The folders of the projects whose state lies in `dataDir`; of a build before this was kept, none. */
export function projectFolders(dataDir: string): string[] {
  const folder = foldersFolder(dataDir);
  return namesIn(folder).flatMap((name) => {
    const file = join(folder, name);
    // A pipe would be waited on for good.
    if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return [];
    const projectRoot = readFileSync(file, 'utf8').slice(0, -1);
    return name === folderName(projectRoot) ? [projectRoot] : []; // half written, or somebody else's
  });
}

function folderName(projectRoot: string): string {
  return createHash('sha256').update(projectRoot).digest('hex').slice(0, 16);
}

function rememberFolder(dataDir: string, projectRoot: string): void {
  const folder = foldersFolder(dataDir);
  const name = folderName(projectRoot);
  if (namesIn(folder).includes(name)) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, name), `${projectRoot}\n`, { mode: 0o600 });
  } catch (error) {
    // A home that can't be written is no reason not to serve from a directory that can.
    if (!isChosen(dataDir)) throw error;
  }
}

const processesFolder = (dataDir: string) => join(dataDir, 'processes');
const foldersFolder = (dataDir: string) => join(keptOf(dataDir), 'project-folders');

/** As a lock is: what holds something is somebody else's. */
function isEmpty(file: string): boolean {
  const entry = lstatSync(file, { throwIfNoEntry: false });
  return entry?.isFile() === true && entry.size === 0;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not made yet
  }
}
