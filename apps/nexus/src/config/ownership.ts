import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

const GROUP_WRITES = 0o020;
const ALL_WRITE = 0o002;
const STICKY = 0o1000;

/**
 * Why a file's content may be another user's word: it, the link to it, or a folder that holds one of them
 * belongs to somebody else, or others may write or replace it. Windows has no such modes; there nothing is said.
 */
export function ownershipFault(file: string): string | undefined {
  if (process.getuid?.() === undefined) return undefined;
  const real = realpathSync(file);
  const paths = [file, dirname(file), real, dirname(real)];
  return [...new Set(paths)].map(faultOf).find((fault) => fault !== undefined);
}

/** Whether a file or folder belongs to this user or to root, whose word counts anyway. */
export function isOwn(path: string): boolean {
  const uid = process.getuid?.();
  if (uid === undefined) return true;
  const owner = lstatSync(path).uid;
  return owner === uid || owner === 0;
}

function faultOf(path: string): string | undefined {
  if (!isOwn(path)) return `${path} belongs to another user (${lstatSync(path).uid})`;
  // A link's own mode says nothing, and who may replace it is told by its folder.
  if (lstatSync(path).isSymbolicLink()) return undefined;
  const stats = statSync(path);
  // In a sticky folder nobody replaces what is not their own.
  if (stats.isDirectory() && (stats.mode & STICKY) !== 0) return undefined;
  if ((stats.mode & ALL_WRITE) !== 0) return `every user may write ${path}`;
  if ((stats.mode & GROUP_WRITES) !== 0 && !isOwnGroup(stats)) {
    return `the users of group ${stats.gid} may write ${path}`;
  }
  return undefined;
}

/** Whether nobody else is in the group: many systems give each user one, and new files to that. */
function isOwnGroup({ gid }: Stats): boolean {
  const uid = process.getuid?.();
  if (gid === 0) return true;
  if (gid !== process.getgid?.()) return false;
  const users = readTable('/etc/passwd');
  const name = users.find(([, , id]) => Number(id) === uid)?.[0];
  const group = readTable('/etc/group').find(([, , id]) => Number(id) === gid);
  if (name === undefined || group === undefined) return false;
  const members = (group[3] ?? '').split(',').filter(Boolean);
  const others = users.filter(([, , id, primary]) => Number(primary) === gid && Number(id) !== uid);
  return others.length === 0 && members.every((member) => member === name);
}

function readTable(file: string): string[][] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    return [];
  }
}
