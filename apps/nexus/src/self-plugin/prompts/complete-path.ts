import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { PromptContext } from '@nexus/plugin-sdk';
import type { Self } from '../self-plugin.ts';

const HIDDEN = new Set(['node_modules', '.git']);

/** Paths below the project root that go on from what was typed, folders ending in `/`. */
export async function completePath(typed: string, { state }: PromptContext): Promise<string[]> {
  const { projectRoot } = state as Self;
  const folder = typed.endsWith('/') ? typed : `${posix.dirname(typed)}/`;
  const parent = folder === './' ? '' : folder;
  if (posix.isAbsolute(parent) || parent.split('/').includes('..')) return [];
  const entries = await readdir(join(projectRoot, parent), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !HIDDEN.has(entry.name))
    .map((entry) => `${parent}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .filter((path) => path.startsWith(typed))
    .sort();
}
