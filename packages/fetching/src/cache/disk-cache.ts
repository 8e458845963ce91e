import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** An answer as it was fetched. */
export interface Kept {
  readonly url: string;
  readonly status: number;
  /** Of the answer, those that say what it is and whether it changed. */
  readonly headers: Readonly<Record<string, string>>;
  /** Epoch milliseconds at which the source last said that this is its answer. */
  readonly fetchedAt: number;
  readonly body: Buffer;
}

export interface DiskCache {
  get(key: string): Promise<Kept | undefined>;
  put(key: string, kept: Kept): Promise<void>;
}

/** How many writes between two looks at the size of all. */
const LOOK_EVERY = 50;
/** What a look leaves, so that not each write after it has to look again. */
const LEAVES = 0.8;

/**
 * Answers in a folder, a file each: a line of JSON, then the body. A file comes whole under its name or not at all,
 * so processes share the folder; one that can't be read counts as none. The least used go first.
 * @param maxBytes of all files together, as it was at the last look
 */
export function diskCache(folder: string, maxBytes: number): DiskCache {
  const fileOf = (key: string) => join(folder, createHash('sha256').update(key).digest('hex'));
  let written = 0;

  async function put(key: string, { body, ...head }: Kept): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = fileOf(key);
    const part = `${file}.${randomUUID()}.part`;
    try {
      await writeFile(part, Buffer.concat([Buffer.from(`${JSON.stringify({ key, ...head })}\n`), body]), {
        mode: 0o600,
      });
      await rename(part, file);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    written += 1;
    if (written % LOOK_EVERY === 1) await sweep(folder, maxBytes);
  }

  return {
    async get(key) {
      const file = fileOf(key);
      try {
        const bytes = await readFile(file);
        const end = bytes.indexOf(0x0a);
        const { key: of, ...head } = JSON.parse(bytes.subarray(0, end).toString('utf8'));
        if (of !== key) return undefined;
        const at = new Date();
        // Only says that it was used.
        await utimes(file, at, at).catch(() => {});
        return { ...head, body: bytes.subarray(end + 1) };
      } catch {
        return undefined;
      }
    },
    put,
  };
}

/** A `.part` that is an hour old is of a process that died. */
const DEAD_PART_MS = 3_600_000;

async function sweep(folder: string, maxBytes: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names.map(async (name) => {
      const stats = await stat(join(folder, name)).catch(() => undefined);
      return { name, size: stats?.size ?? 0, usedAt: stats?.mtimeMs ?? 0 };
    }),
  );
  for (const { name, usedAt } of files) {
    if (name.endsWith('.part') && usedAt < Date.now() - DEAD_PART_MS)
      await rm(join(folder, name), { force: true });
  }
  let total = files.reduce((sum, { size }) => sum + size, 0);
  if (total <= maxBytes) return;
  for (const { name, size } of files.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= maxBytes * LEAVES) return;
    await rm(join(folder, name), { force: true });
    total -= size;
  }
}
