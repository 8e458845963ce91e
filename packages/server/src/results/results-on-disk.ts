import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadableText } from '@nexus/plugin-sdk';

/** How long a kept result can be read after it was made. */
const KEPT_MS = 24 * 3_600_000;
/** Of all kept results of a project together, but for what came since the last sweep; the oldest go first. */
const MAX_BYTES = 256 * 1024 * 1024;
/**
 * Of the bytes and of the time that may be kept: after so much of either, a process sweeps again. A sweep looks at every
 * file, so that one at each put would make each dearer than the last.
 */
const SWEEP_SHARE = 1 / 16;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What of a kept result outlives its session. */
export interface StoredResult extends ReadableText {
  /** Who may read it; undefined for the server's own user. */
  readonly user: string | undefined;
}

/** Kept results in a folder, a file each, which the processes of a project share. */
export interface ResultsOnDisk {
  /** Now and then takes what is too old, or too much, with it. */
  put(id: string, result: StoredResult): Promise<void>;
  /** Undefined for what is not there, is too old, or is another user's. */
  get(id: string, user: string | undefined): Promise<StoredResult | undefined>;
}

/** @param options.now epoch milliseconds */
export function resultsOnDisk(
  folder: string,
  { keptMs = KEPT_MS, maxBytes = MAX_BYTES, now = Date.now } = {},
): ResultsOnDisk {
  const fileOf = (id: string) => join(folder, id);

  async function sweep(): Promise<void> {
    const names = (await readdir(folder)).map((name) => join(folder, name));
    const files = await Promise.all(
      names.map(async (file) => {
        const found = await stat(file).catch(() => undefined);
        return found ? [{ file, bytes: found.size, at: found.mtimeMs }] : [];
      }),
    );
    let left = maxBytes;
    for (const { file, bytes, at } of files.flat().sort((a, b) => b.at - a.at)) {
      left -= bytes;
      if (left < 0 || now() - at > keptMs) await rm(file, { force: true });
    }
  }

  /** Nothing is known yet of what others left there. */
  let unswept = Number.POSITIVE_INFINITY;
  let sweptAt = now();
  async function sweepWhenDue(bytes: number): Promise<void> {
    unswept += bytes;
    if (unswept < maxBytes * SWEEP_SHARE && now() - sweptAt < keptMs * SWEEP_SHARE) return;
    unswept = 0;
    sweptAt = now();
    await sweep();
  }

  return {
    async put(id, { text, ...head }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Under its name it is there whole or not at all.
      const part = `${fileOf(id)}.part`;
      const whole = `${JSON.stringify({ ...head, at: now() })}\n${text}`;
      await writeFile(part, whole, { mode: 0o600 });
      await rename(part, fileOf(id));
      await sweepWhenDue(Buffer.byteLength(whole));
    },
    async get(id, user) {
      if (!ID.test(id)) return undefined;
      const whole = await readFile(fileOf(id), 'utf8').catch(() => undefined);
      if (whole === undefined) return undefined;
      const end = whole.indexOf('\n');
      const { at, ...head } = JSON.parse(whole.slice(0, end)) as Omit<StoredResult, 'text'> & { at: number };
      if (head.user !== user || now() - at > keptMs) return undefined;
      return { ...head, user, text: whole.slice(end + 1) };
    },
  };
}
