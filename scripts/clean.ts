import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** Folders that builds, tests and turbo's cache make, wherever they lie. */
const MADE_FOLDERS = new Set(['dist', '.turbo', '.reports', '.bench-dist']);
const MADE_FILES = /\.(tgz|tsbuildinfo)$/;
const NEVER = new Set(['.git', '.nexus']);

/** What was made in `root` and can be made anew. `installed`: also what the package manager put there. */
export async function madeIn(root: string, { installed }: { installed: boolean }): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(root, entry.name);
      if (entry.isFile()) return MADE_FILES.test(entry.name) ? [path] : [];
      if (!entry.isDirectory() || NEVER.has(entry.name)) return [];
      if (entry.name === 'node_modules') return installed ? [path] : [];
      return MADE_FOLDERS.has(entry.name) ? [path] : madeIn(path, { installed });
    }),
  );
  return found.flat().sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });
  const made = await madeIn(fileURLToPath(new URL('..', import.meta.url)), { installed: values.all });
  for (const path of made) {
    await rm(path, { recursive: true, force: true });
    process.stdout.write(`removed ${path}\n`);
  }
  if (made.length === 0) process.stdout.write('Nothing to remove.\n');
}
