import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty project with an empty config and a data directory, so that no config of a developer counts. */
export interface ScratchProject extends Disposable {
  readonly root: string;
  readonly configFile: string;
  readonly dataDir: string;
}

export function createScratchProject(): ScratchProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-governance-')));
  const [root, dataDir] = [join(folder, 'project'), join(folder, 'data')];
  mkdirSync(root);
  mkdirSync(dataDir);
  const configFile = join(root, 'nexus.config.json');
  writeFileSync(configFile, '{}\n');
  return {
    root,
    configFile,
    dataDir,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
