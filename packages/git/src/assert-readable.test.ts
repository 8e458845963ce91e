import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { assertReadable } from './assert-readable.ts';

it.skipIf(process.platform === 'win32').each(['main', 'ma\nin'])(
  'looks where a worktree of %j has its settings',
  (name) => {
    const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-git-')));
    try {
      const folder = join(scratch, name, '.git');
      const worktree = join(folder, 'worktrees', 'side');
      mkdirSync(worktree, { recursive: true });
      mkdirSync(join(scratch, 'side'));
      writeFileSync(join(scratch, 'side', '.git'), `gitdir: ${worktree}\n`);
      writeFileSync(join(worktree, 'commondir'), `${folder}\n`);
      assertReadable(join(scratch, 'side'));
      symlinkSync('/dev/zero', join(folder, 'config'));
      expect(() => assertReadable(join(scratch, 'side'))).toThrow(/config/);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
);
