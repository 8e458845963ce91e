import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Also of what is not there yet. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realOf(folder), basename(path));
  }
}
