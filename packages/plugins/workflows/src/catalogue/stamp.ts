import { stat } from 'node:fs/promises';

/** The coarsest time of a change that a file system keeps. */
const SETTLED_MS = 2_000;

/**
 * What the system tells of a file, to know it again by: the same file, unchanged. A file that was changed so lately that
 * another change could have the same time has none, and neither has one that can't be looked at.
 */
export async function stampOf(path: string): Promise<string | undefined> {
  const lookedAt = Date.now();
  // Whoever reads it says what is wrong with it.
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = found;
  const changedAt = Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs);
  if (lookedAt - changedAt <= SETTLED_MS) return undefined;
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}
