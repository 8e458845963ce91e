import { installPeers } from '../../bench/install-peers.ts';

/** Installed once, outside the workspace: only the comparison needs it. */
export function dbosEntry(): string {
  const peer = installPeers({
    folder: 'nexus-chaos-dbos',
    versions: { '@dbos-inc/dbos-sdk': '5.3.0' },
  });
  return peer('@dbos-inc/dbos-sdk', 'dist/src/index.js');
}
