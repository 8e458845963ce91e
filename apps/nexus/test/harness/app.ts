import { fileURLToPath } from 'node:url';

/** What hosts start. */
export const bin = fileURLToPath(new URL('../../bin/nexus.js', import.meta.url));

export const appDir = fileURLToPath(new URL('../../', import.meta.url));

export const testDir = fileURLToPath(new URL('../', import.meta.url));

export const repoDir = fileURLToPath(new URL('../../../../', import.meta.url));
