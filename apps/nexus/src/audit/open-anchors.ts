import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Anchor, RunGit } from '@nexus/audit';
import type { Store } from '@nexus/plugin-sdk';
import type { AnchorSettings } from '../config/audit-section.ts';
import type { LoadedConfig } from '../loaded-config/load-config.ts';
import { projectStore } from '../project/project-store.ts';

const DEFAULT_REF = 'refs/nexus/audit';

export interface OpenAnchors {
  readonly anchors: readonly Anchor[];
  /** Lets go of a store that was opened for them. */
  close(): Promise<void>;
}

/**
 * Where the config has checkpoints put.
 * @param store the project's, where it is open here
 */
export async function openAnchors(loaded: LoadedConfig, store?: Store): Promise<OpenAnchors> {
  const { databaseAnchor, fileAnchor, gitAnchor, urlAnchor } = await import('@nexus/audit');
  const { config, configFile, projectRoot } = loaded;
  const from = configFile ? dirname(configFile) : projectRoot;
  const needsStore = config.audit.anchors.some((anchor) => 'machines' in anchor);
  const own = needsStore && !store ? projectStore(loaded) : undefined;
  const opened = (anchor: AnchorSettings): Anchor[] => {
    if ('file' in anchor) return [fileAnchor(resolve(from, anchor.file))];
    if ('url' in anchor) return [urlAnchor(anchor.url, anchor.token)];
    if ('machines' in anchor) {
      const shared = anchor.machines ? (store ?? own) : undefined;
      return shared ? [databaseAnchor(shared)] : [];
    }
    const top = resolve(from, anchor.git);
    return [gitAnchor(top, anchor.ref ?? DEFAULT_REF, runGit(top))];
  };
  return {
    anchors: config.audit.anchors.flatMap(opened),
    close: async () => own?.close(),
  };
}

/** A process that ends waits for no longer. */
const GIT_PATIENCE_MS = 30_000;

/** @param top of a working tree, or a bare repository, as one that others push to is */
function runGit(top: string): RunGit {
  return async (args, allowExits) => {
    const { gitExit } = await import('@nexus/git');
    const signal = AbortSignal.timeout(GIT_PATIENCE_MS);
    const tree = existsSync(join(top, '.git')) ? { treeTop: top } : { treeTop: top, gitDir: top };
    return gitExit(tree, args, { signal, ...(allowExits && { allowExits }) });
  };
}
