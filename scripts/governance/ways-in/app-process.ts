import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { repositoryRoot } from '../../workspace/open-workspace.ts';
import { type ConnectedClient, connectClient } from './connect-client.ts';
import type { ScratchProject } from './scratch-project.ts';

/** How the built app is started in a project of its own. */
export function appCommand(scratch: ScratchProject, args: readonly string[]) {
  const app = join(repositoryRoot, 'apps', 'nexus');
  if (!existsSync(join(app, 'dist'))) throw new Error('apps/nexus is not built; run `pnpm build`');
  return {
    command: process.execPath,
    args: [join(app, 'bin', 'nexus.js'), ...args],
    cwd: scratch.root,
    env: {
      ...getDefaultEnvironment(),
      NEXUS_DATA_DIR: scratch.dataDir,
      NEXUS_RUNTIME_DIR: scratch.runtimeDir,
      // The record of that data directory goes with it.
      XDG_STATE_HOME: scratch.dataDir,
      NEXUS_LOG_LEVEL: 'error',
      // The scratch project's model is named by its config.
      NEXUS_TRUST: 'all',
    },
  };
}

/** Starts the built app in a process of its own, as a host does, and connects to it. */
export function connectApp(scratch: ScratchProject, args: readonly string[]): Promise<ConnectedClient> {
  return connectClient(new StdioClientTransport({ ...appCommand(scratch, args), stderr: 'inherit' }));
}
