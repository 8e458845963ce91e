import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A socket's path must stay short, and the folder for temporary files is a long one on macOS. */
const SHORT_TMP = process.platform === 'win32' ? tmpdir() : '/tmp';

/** A model that nobody asks: tools that need one are listed where there is one. */
const CONFIG = { models: { providers: { none: { baseUrl: 'http://127.0.0.1:9/v1', models: ['none'] } } } };

/** An empty project with a config of its own and a data directory, so that no config of a developer counts. */
export interface ScratchProject extends Disposable {
  readonly root: string;
  readonly configFile: string;
  readonly dataDir: string;
  /** For locks and sockets. */
  readonly runtimeDir: string;
}

export function createScratchProject(): ScratchProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-governance-')));
  const [root, dataDir] = [join(folder, 'project'), join(folder, 'data')];
  const runtimeDir = mkdtempSync(join(SHORT_TMP, 'nx-'));
  mkdirSync(root);
  mkdirSync(dataDir);
  const configFile = join(root, 'nexus.config.json');
  writeFileSync(configFile, JSON.stringify(CONFIG));
  return {
    root,
    configFile,
    dataDir,
    runtimeDir,
    [Symbol.dispose]() {
      for (const each of [folder, runtimeDir]) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
