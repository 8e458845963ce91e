import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Where it is known which trail lies in a folder: beside the key, out of the reach of who can write the trail alone. So one
 * that was taken away, or put in another's place, is told from one that has just begun.
 */
export function knownTrailFile(keyFile: string, trail: string): string {
  return join(dirname(keyFile), 'audit-trails', hash('sha256', trail).slice(0, 32));
}

/** The name of the trail that lies there, or lay there first; undefined where none is known. */
export function knownTrail(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n')[0] : undefined;
}

/** Which trail lies there from now on, where none was known: what is known stays, whatever lies there now. */
export function knowTrail(file: string, { trail, name }: { readonly trail: string; readonly name: string }) {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${name}\n${trail}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
