import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { execa } from 'execa';
import { openWorkspace } from '../workspace/open-workspace.ts';
import { makePlugin } from './make-plugin.ts';

/**
 * Makes a plugin as `pnpm new:plugin` does and holds it to the checks, in a copy of this checkout, so
 * that nothing of it can stay behind. The copy shares turbo's cache: only what the plugin adds is work.
 */
const NAME = 'smoke-test';
/** What tsc found out about the files that are the same here; see tsconfig.json. */
const TYPES_KNOWN = 'node_modules/.cache/types.tsbuildinfo';
/** Without `lint`: what the plugin brings and changes was held to its rules when it was made. */
const CHECKS = 'manifests,unused,types,build,governance';

const workspace = openWorkspace();
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-new-plugin-')));
const inCopy = {
  cwd: copy,
  preferLocal: true,
  stdin: 'ignore',
  stdout: 'inherit',
  stderr: 'inherit',
  env: { TURBO_CACHE_DIR: join(workspace.root, '.turbo', 'cache'), NEXUS_PLUGIN_ADDED: '1' },
} as const;
try {
  for (const file of workspace.files) cpSync(join(workspace.root, file), join(copy, file));
  await commitAll();
  await makePlugin(openWorkspace(copy), NAME, { withRun: true });
  const known = join(workspace.root, TYPES_KNOWN);
  if (existsSync(known)) cpSync(known, join(copy, TYPES_KNOWN));
  await execa('vitest', ['run'], { ...inCopy, cwd: join(copy, 'packages', 'plugins', NAME) });
  await execa('tsx', ['scripts/check/cli.ts', '--only', CHECKS], inCopy);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
}

/** Without a commit, turbo reads each file of all installed packages to learn what has changed. */
async function commitAll(): Promise<void> {
  await execa('git', ['init', '--quiet'], inCopy);
  await execa('git', ['add', '--all'], inCopy);
  const author = ['-c', 'user.name=smoke', '-c', 'user.email=smoke@localhost'];
  await execa('git', [...author, 'commit', '--quiet', '--no-verify', '--message', 'all'], inCopy);
}
