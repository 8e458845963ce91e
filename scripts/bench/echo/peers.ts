import { installPeers } from '../install-peers.ts';

/** What others do this with, as one installs it from npm. */
export const installEchoPeers = () =>
  installPeers({
    folder: 'nexus-bench',
    versions: {
      '@standardbeagle/slop-mcp': '0.15.0',
      'mcp-hub': '4.2.1',
      'mcp-proxy': '6.7.19',
      supergateway: '4.0.0',
    },
  });
