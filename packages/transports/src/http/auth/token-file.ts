import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * The bearer token of this server, made at the first start and kept in a file that its owner alone reads.
 * @throws {Error} where others can read the file or it holds no token, with the fix
 */
export async function ensureTokenFile(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeFile(path, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    // The umask can only take bits away that are needed here.
    await chmod(path, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const { mode } = await stat(path);
  // Windows has no such bits; the folder lies in the user's own profile.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new Error(`the token file ${path} is open to other users; delete it, and a new one is made`);
  }
  const token = (await readFile(path, 'utf8')).trim();
  if (token.length < 32) {
    throw new Error(
      `the token file ${path} holds no token of 32 characters or more; delete it, and a new one is made`,
    );
  }
  return token;
}
