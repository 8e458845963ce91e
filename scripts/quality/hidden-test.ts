import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Tree } from './cases/trees.ts';
import { writeTree } from './write-tree.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 20_000;

/** Whether a test that nobody was shown passes over the code, in a process of its own. */
export async function passes(tree: Tree, file: string, test: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'nexus-hidden-'));
  try {
    await writeTree(folder, tree);
    // CommonJS wherever it lies, as the packages are.
    const script = join(folder, dirname(file), 'hidden-test.cjs');
    const module = `./${file.slice(file.lastIndexOf('/') + 1)}`;
    await writeFile(
      script,
      `const assert = require('node:assert/strict');\nconst m = require(${JSON.stringify(module)});\n${test}\n`,
    );
    await run(process.execPath, [script], { cwd: folder, timeout: TIMEOUT_MS });
    return true;
  } catch (error) {
    // How it ended: by an assertion, a fault in the code, or its time.
    if (error instanceof Error && ('code' in error || 'killed' in error)) return false;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
