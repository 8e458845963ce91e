import { realpathSync } from 'node:fs';
import { findProgram } from '../config/find-program.ts';

/**
 * The Node.js that runs this, as a host can start it: a host that is started from a menu has a short `PATH`, on
 * which `node` is not. By the name it has on this shell's `PATH`, which an update of Node.js keeps, where that is
 * the same program.
 */
export function nodeCommand(env: NodeJS.ProcessEnv = process.env): string {
  const found = findProgram('node', { cwd: process.cwd(), env });
  return found !== undefined && realpathSync(found) === realpathSync(process.execPath)
    ? found
    : process.execPath;
}
