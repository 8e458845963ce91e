import { readFileSync } from 'node:fs';

/** The app's folder: `package.json` and `bin/` lie in it, seen from `src/` as from the bundle in `dist/`. */
export const appDir = new URL('../', import.meta.url);

const manifest = JSON.parse(readFileSync(new URL('package.json', appDir), 'utf8')) as { version: string };

export const version: string = manifest.version;
