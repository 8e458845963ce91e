import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkspace, type Workspace } from './workspace.ts';

/** The root of this repository. */
export const repositoryRoot = join(import.meta.dirname, '..', '..');

/** Reads the checkout at `root`; a file that is deleted but not yet committed is left out. */
export function openWorkspace(root: string = repositoryRoot): Workspace {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
  return createWorkspace(root, [...new Set(files)], (file) => readFileSync(join(root, file), 'utf8'));
}
