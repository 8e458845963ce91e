import { isAbsolute, relative, sep } from 'node:path';

/** By names, since two paths in the other order are no fault that a type could tell. */
export interface Containment {
  readonly path: string;
  readonly folder: string;
}

/**
 * Whether `path` is `folder` or lies below it. By their text alone: hand in real paths where a link could lead
 * somewhere else.
 */
export function isInside({ path, folder }: Containment): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
