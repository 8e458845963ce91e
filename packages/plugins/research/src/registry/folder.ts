import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '@nexus/plugin-sdk';
import { isInside } from '@nexus/primitives';

const MAX_BYTES = 32 * 1024 * 1024;
/** What a process that was killed leaves. */
const DRAFT = /^\.[a-z]+\.yaml\.[0-9a-f-]{36}\.new$/;

/** The folder of the registry, below the project: nothing in it leads out of there. */
export interface Folder {
  readonly path: string;
  /** @returns undefined where the file is not there */
  read(name: string): Promise<string | undefined>;
  /** The old file or the new one, never a part; on disk when it returns. */
  write(name: string, text: string): Promise<void>;
  /** Makes the folder where there is none. */
  make(): Promise<void>;
  /** Takes away what killed writers left; for who has the lock, since a draft of who has it looks the same. */
  sweep(): Promise<void>;
}

export function registryFolder(projectRoot: string, folder: string): Folder {
  const path = join(projectRoot, folder);

  /** @throws {ToolError} NEXUS_OUTSIDE_ROOTS */
  async function requireInside(): Promise<void> {
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined) return;
    if (isInside({ path: real, folder: await realpath(projectRoot) })) return;
    throw new ToolError('NEXUS_OUTSIDE_ROOTS', `${path} leads out of the project, to ${real}.`);
  }

  return {
    path,
    async read(name) {
      await requireInside();
      // A pipe would be waited on for good.
      const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
      const file = await open(join(path, name), flags).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
        const why = error.code === 'ELOOP' ? 'it is a symbolic link' : error.message;
        throw unreadable(join(path, name), why, error);
      });
      if (!file) return undefined;
      try {
        const stats = await file.stat();
        if (!stats.isFile()) throw unreadable(join(path, name), 'it is no file');
        if (stats.size > MAX_BYTES) throw unreadable(join(path, name), `it has more than ${MAX_BYTES} bytes`);
        return textOf(await file.readFile(), join(path, name));
      } finally {
        await file.close();
      }
    },
    async write(name, text) {
      await requireInside();
      const draft = join(path, `.${name}.${randomUUID()}.new`);
      try {
        const file = await open(draft, 'wx', 0o644);
        try {
          await file.writeFile(text);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, join(path, name));
        await syncFolder(path);
      } catch (error) {
        await rm(draft, { force: true });
        throw unwritable(join(path, name), error);
      }
    },
    async make() {
      try {
        await mkdir(path, { recursive: true });
        await requireInside();
        // What writers need for a moment is nobody's to commit.
        const flag = 'wx';
        await writeFile(join(path, '.gitignore'), '.*.new\n.lock\n', { flag }).catch((error) => {
          if (error.code !== 'EEXIST') throw error;
        });
      } catch (error) {
        throw unwritable(path, error);
      }
    },
    async sweep() {
      await requireInside();
      const left = (await readdir(path)).filter((name) => DRAFT.test(name));
      for (const name of left) await rm(join(path, name), { force: true });
    },
  };
}

function unreadable(path: string, why: string, cause?: unknown): ToolError {
  return new ToolError('NEXUS_FILE_UNREADABLE', `${path} can’t be read: ${why}.`, { cause });
}

function unwritable(path: string, error: unknown): unknown {
  if (error instanceof ToolError) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new ToolError('NEXUS_FILE_UNREADABLE', `${path} can’t be written: ${why}.`, { cause: error });
}

/** So that the new name outlives a loss of power; not every system lets a folder be opened. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  if (!folder) return;
  await folder.sync().catch(() => {});
  await folder.close();
}

/** What is written again later must be what was read: a byte that is no text would be lost. */
function textOf(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    const lines = bytes.toString('utf8').split('\n');
    const line = lines.findIndex((each) => each.includes('\uFFFD')) + 1;
    throw unreadable(file, `line ${line} is not UTF-8; save the file as UTF-8`, error);
  }
}
