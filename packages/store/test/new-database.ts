import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../node_modules/.cache/postgres/', import.meta.url));

/**
 * Makes the folder `data` what `initdb` makes of it, which takes half a second of processor. It is done once for each
 * version of Postgres and user, and copied for every other server that tests start.
 * @param initdb makes `data`; what it is told must be the same each time
 */
export function newDatabase(binaries: string, data: string, initdb: () => void): void {
  const version = execFileSync(join(binaries, 'postgres'), ['--version'], { encoding: 'utf8' });
  const made = join(CACHE, `${version.trim().replaceAll(/[^\w.]+/g, '-')}.${process.getuid?.() ?? 0}`);
  if (existsSync(made)) {
    copy(made, data);
    return;
  }
  initdb();
  mkdirSync(CACHE, { recursive: true });
  const ours = `${made}.${process.pid}`;
  copy(data, ours);
  try {
    renameSync(ours, made);
  } catch (error) {
    rmSync(ours, { recursive: true });
    // Another process was first.
    if (!existsSync(made)) throw error;
  }
}

/** With their owner, who is not who runs the tests where that is root. */
function copy(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}
