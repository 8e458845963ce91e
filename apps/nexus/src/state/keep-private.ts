import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stateDir } from '../config/places.ts';
import { isChosen } from './data-dir-record.ts';
import { IN_DATA_DIR, IN_STATE_DIR, type MadeNames } from './made-names.ts';
import { ownFiles } from './own-files.ts';

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/** Said where a system has no modes. */
export const NO_MODES =
  'who may read it is what the rights (ACL) of its folder say, since Windows has no modes that Nexus could look at or set';

/**
 * Sees that nobody but this user reads what Nexus keeps, whatever the umask is or was: a data directory, and the folder
 * of what is kept of all projects, is 0700. One that holds others' files too keeps its mode where none but its user
 * writes to it, and each thing of Nexus's in it is closed.
 * @throws {Error} where that can't be, with the fix
 */
export function keepPrivate(dataDir: string): void {
  if (process.platform === 'win32') return;
  mend(dataDir, IN_DATA_DIR);
  try {
    mend(stateDir(), IN_STATE_DIR);
  } catch (error) {
    // Where the data directory is elsewhere, a state directory that can't be used is no reason not to start.
    if (!isChosen(dataDir)) throw error;
  }
}

function mend(folder: string, names: MadeNames): void {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OTHERS) === 0) return;
  const { own, folders, others } = ownFiles({ folder, names, spared: [] });
  if (others > 0 && (mode & OTHERS_WRITE) !== 0) {
    throw new Error(
      `${folder} holds more than Nexus’s files, and others may write to it; run chmod go-w ${folder}, or name a folder of Nexus’s alone`,
    );
  }
  const made = new Set([...own, ...folders]);
  const isOwnAlone = (each: string) => {
    const held = readdirSync(each).map((name) => join(each, name));
    return held.every((path) => made.has(path)) && (held.length > 0 || each === folder);
  };
  // The inner ones first: by the outer one they are closed already.
  for (const path of [...own, ...folders.filter(isOwnAlone)]) close(path);
}

function close(path: string): void {
  try {
    const stats = statSync(path);
    const wanted = stats.isDirectory() ? 0o700 : 0o600;
    if ((stats.mode & OTHERS) !== 0) chmodSync(path, wanted);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return; // its writer has taken it away
    throw new Error(
      `others may read ${path}, and its mode can’t be changed (${code}); name a folder of your own, which Nexus makes for you alone`,
    );
  }
}
