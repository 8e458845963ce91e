import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/**
 * What tells a machine from others that share a project's database: its name, for people, with what only this data
 * directory has. Made once; two that do so at the same time agree.
 */
export function machineName(dataDir: string): string {
  const file = join(dataDir, 'machine');
  const read = () => readFileSync(file, 'utf8').trim();
  if (existsSync(file)) return read();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // Whole before it has its name: the other could read it half.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${hostname()}-${randomBytes(4).toString('hex')}\n`, { mode: 0o600 });
  try {
    linkSync(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
  return read();
}
