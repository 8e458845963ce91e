import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file whole or not at all: readers see the old one or the new one. A link stays a link. */
export function writeConfig(file: string, text: string): void {
  const exists = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  const target = exists ? realpathSync(file) : file;
  mkdirSync(dirname(target), { recursive: true });
  const temporary = `${target}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: exists ? statSync(target).mode : 0o644 });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
