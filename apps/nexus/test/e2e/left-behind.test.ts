import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { shareProject } from '../harness/shared-project.ts';
import { verifiesApp } from '../harness/verifies.ts';

verifiesApp('pipelines.left', 'takes away a worktree that nobody holds, without being asked', async () => {
  await using project = await shareProject();
  const left = join(project.dataDir, 'workflows', 'worktrees', '12345678');
  await mkdir(left, { recursive: true });
  await writeFile(join(left, 'half.js'), 'export const');
  const hourAgo = Date.now() / 1_000 - 3_600;
  await utimes(left, hourAgo, hourAgo);
  await project.host();
  await vi.waitFor(() => expect(existsSync(left)).toBe(false), 20_000);
});
