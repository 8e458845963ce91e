import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { PromptContext } from '@nexus/plugin-sdk';
import { isInside } from '@nexus/primitives';
import { projectPath } from '../../project/project-path.ts';

const HIDDEN = new Set(['node_modules', '.git']);

/** Paths inside the roots, and on the way to them, that go on from what was typed, folders ending in `/`. */
export async function completePath(typed: string, { host, roots }: PromptContext): Promise<string[]> {
  const folder = typed.endsWith('/') ? typed : `${posix.dirname(typed)}/`;
  const parent = folder === './' ? '' : folder;
  if (posix.isAbsolute(parent) || parent.split('/').includes('..')) return [];
  const path = await projectPath(host, parent).catch(() => undefined);
  if (path === undefined) return [];
  // A client that may read nothing of the project is offered nothing.
  const readable = await roots().catch(() => []);
  const isTold = (told: string) =>
    readable.some(
      ({ path: root }) => isInside({ path: told, folder: root }) || isInside({ path: root, folder: told }),
    );
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => isTold(join(path, name)))
    .filter((entry) => !HIDDEN.has(entry.name) && !host.privatePaths.includes(join(path, entry.name)))
    .map((entry) => `${parent}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .filter((path) => path.startsWith(typed))
    .sort();
}
