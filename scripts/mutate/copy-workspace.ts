import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Workspace } from '../workspace/workspace.ts';

/** The checkout's files in `copy`, with its packages installed there: mutants are written over the copies. */
export function copyWorkspace(workspace: Workspace, copy: string): void {
  for (const file of workspace.files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(workspace.root, file), join(copy, file), { verbatimSymlinks: true });
  }
  symlinkSync(join(workspace.root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const manifests = workspace.files.filter((file) => file.endsWith('/package.json'));
  for (const installed of manifests.map((file) => join(dirname(file), 'node_modules'))) {
    const from = join(workspace.root, installed);
    // Links between packages are relative, so that those in the copy lead to the copy.
    if (existsSync(from)) cpSync(from, join(copy, installed), { recursive: true, verbatimSymlinks: true });
  }
}
