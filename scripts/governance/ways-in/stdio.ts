import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { repositoryRoot } from '../../workspace/open-workspace.ts';
import { connectClient } from './connect-client.ts';
import { createScratchProject } from './scratch-project.ts';
import type { WayIn } from './way-in.ts';

/** The built server in a process of its own, as a host starts it. */
export const stdio: WayIn = {
  name: 'stdio',
  async open() {
    const app = join(repositoryRoot, 'apps', 'nexus');
    if (!existsSync(join(app, 'dist'))) throw new Error('apps/nexus is not built; run `pnpm build`');
    const scratch = createScratchProject();
    const client = await connectClient(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(app, 'bin', 'nexus.js'), '--mode=server', '--standalone'],
        cwd: scratch.root,
        env: { ...getDefaultEnvironment(), NEXUS_DATA_DIR: scratch.dataDir, NEXUS_LOG_LEVEL: 'error' },
        stderr: 'inherit',
      }),
    );
    return {
      send: client.send,
      async [Symbol.asyncDispose]() {
        await client.close();
        scratch[Symbol.dispose]();
      },
    };
  },
};
