import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SharingError } from './sharing-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The user's own folder for locks and sockets, made if need be: 0700, ours, and no symlink, since whoever
 * can write there can pose as the server.
 * @throws {SharingError} when the folder can't be trusted, with the fix
 */
export async function ensureRuntimeDir(env: Environment = process.env): Promise<string> {
  const uid = process.getuid?.();
  const folder = await runtimeDirPath(env);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    throw new SharingError(
      `Can't make the runtime folder ${folder} (${error.code}). Set NEXUS_RUNTIME_DIR to a folder that you can write, or use --standalone.`,
      error,
    );
  });
  const found = await lstat(folder);
  if (found.isSymbolicLink() || !found.isDirectory()) {
    throw new SharingError(`The runtime folder ${folder} is a link or a file, not a folder. Remove it.`);
  }
  // Windows has neither owner nor mode here; the folder lies in the user's own profile.
  if (uid === undefined) return folder;
  if (found.uid !== uid) {
    throw new SharingError(
      `The runtime folder ${folder} belongs to user ${found.uid}, not to you. Set NEXUS_RUNTIME_DIR to a folder of yours.`,
    );
  }
  if ((found.mode & 0o077) !== 0) {
    throw new SharingError(`The runtime folder ${folder} is open to other users. Run: chmod 700 ${folder}`);
  }
  return folder;
}

/** Where that folder is, made or not. */
export async function runtimeDirPath(env: Environment = process.env): Promise<string> {
  const uid = process.getuid?.();
  const base = env.NEXUS_RUNTIME_DIR || (await systemRuntimeDir(env, uid));
  return join(base, `nexus-${uid ?? 'user'}`);
}

/** Looked for without the variable too, so that hosts that set it and hosts that don't meet. */
async function systemRuntimeDir(env: Environment, uid: number | undefined): Promise<string> {
  for (const folder of [env.XDG_RUNTIME_DIR, `/run/user/${uid}`]) {
    const found = folder ? await lstat(folder).catch(() => undefined) : undefined;
    if (folder && found?.isDirectory() && found.uid === uid) return folder;
  }
  return tmpdir();
}
