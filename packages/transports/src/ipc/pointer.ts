import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isRecord } from '@nexus/core/json-type';
import { holdLatest } from '@nexus/untrusted/secrets';
import type { Identity } from './identity.ts';

/** What the owner leaves for others to find it: readable by its user only, since the token is in it. */
export interface Pointer {
  readonly socketPath: string;
  /** Whoever reads or writes one shows it to nobody else: logs and errors leave with it masked. */
  readonly token: string;
  readonly pid: number;
  /** Whose server it is; of builds before this was written there is none. */
  readonly identity?: Identity | undefined;
}

/** @returns undefined when there is none that can be read whole */
export async function readPointer(path: string): Promise<Pointer | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!isRecord(value)) return undefined;
    const { socketPath, token, pid, identity } = value;
    if (typeof socketPath !== 'string' || typeof token !== 'string' || typeof pid !== 'number') {
      return undefined;
    }
    holdLatest(path, [token]);
    return { socketPath, token, pid, ...(isIdentity(identity) ? { identity } : {}) };
  } catch {
    return undefined;
  }
}

function isIdentity(value: unknown): value is Identity {
  if (!isRecord(value)) return false;
  const { projectRoot, configPath, dataDir, buildId } = value;
  return (
    [projectRoot, dataDir, buildId].every((each) => typeof each === 'string') &&
    (configPath === undefined || typeof configPath === 'string')
  );
}

/** Only the holder of the lock writes; a reader sees the old pointer or the new one, never a part. */
export async function writePointer(path: string, pointer: Pointer): Promise<void> {
  holdLatest(path, [pointer.token]);
  const temporary = `${path}.${process.pid}`;
  await rm(temporary, { force: true });
  await writeFile(temporary, JSON.stringify(pointer), { mode: 0o600, flag: 'wx' });
  await rename(temporary, path);
}

export async function removePointer(path: string): Promise<void> {
  await rm(path, { force: true });
}
