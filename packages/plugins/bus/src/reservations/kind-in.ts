import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { KindOf } from './overlap.ts';

/** What is at paths of the checkout that the server works in; other workers' may lack it, or have more. */
export function kindIn(projectRoot: string): KindOf {
  return (path) => {
    try {
      return statSync(join(projectRoot, path)).isDirectory() ? 'folder' : 'file';
    } catch {
      return undefined;
    }
  };
}
