import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** The app's folder: `package.json` and `bin/` lie in it, seen from `src/` as from the bundle in `dist/`. */
export const appDir = new URL('../', import.meta.url);

const manifest = JSON.parse(readFileSync(new URL('package.json', appDir), 'utf8')) as { version: string };

export const version: string = manifest.version;

/**
 * Differs between any two builds: the bundle's entry names its chunks, and those are named by content.
 * From source there is no bundle, and the version must do.
 */
export function buildId(): string {
  const entry = new URL('dist/main.js', appDir);
  if (!existsSync(entry)) return version;
  const hash = createHash('sha256').update(readFileSync(entry)).digest('hex').slice(0, 12);
  return `${version}+${hash}`;
}
