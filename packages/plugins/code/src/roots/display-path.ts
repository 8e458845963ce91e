import { relative } from 'node:path';
import { isInside } from '@nexus/primitives';

/** A path as answers show it: relative to the project, absolute elsewhere, with forward slashes. */
export function displayPath(projectRoot: string, path: string): string {
  const shown = isInside({ path: path, folder: projectRoot }) ? relative(projectRoot, path) : path;
  return process.platform === 'win32' ? shown.replaceAll('\\', '/') : shown;
}
