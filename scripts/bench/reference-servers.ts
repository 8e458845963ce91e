import { createRequire } from 'node:module';
import { join } from 'node:path';

// From the app, whose tests drive them too.
const { resolve } = createRequire(new URL('../../apps/nexus/package.json', import.meta.url));

/** The program of a server of the protocol's own project. */
export function referenceServer(name: 'everything' | 'filesystem' | 'memory'): string {
  return join(resolve(`@modelcontextprotocol/server-${name}/package.json`), '../dist/index.js');
}
