import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Channel, JsonRpcMessage } from '@nexus/core';
import { memoryChannelPair } from '@nexus/transports/memory';
import { boot } from '../../../apps/nexus/src/boot/boot.ts';
import { loadConfig } from '../../../apps/nexus/src/loaded-config/load-config.ts';
import { createLog } from '../../../apps/nexus/src/log.ts';
import { connectClient } from './connect-client.ts';
import { createScratchProject } from './scratch-project.ts';
import type { WayIn } from './way-in.ts';

/** The server from source, in this process: it sees what no wire carries. */
export const memory: WayIn = {
  name: 'memory',
  async open() {
    const scratch = createScratchProject();
    const loaded = await loadConfig({
      cwd: scratch.root,
      config: scratch.configFile,
      env: { NEXUS_DATA_DIR: scratch.dataDir },
    });
    // As in the processes of the other ways in: the record of that data directory goes with it.
    process.env.XDG_STATE_HOME = scratch.dataDir;
    const nexus = await boot(loaded, createLog('error'));
    const [serverEnd, clientEnd] = memoryChannelPair();
    nexus.serve(serverEnd);
    const client = await connectClient(overChannel(clientEnd));
    return {
      send: client.send,
      budgets: Object.fromEntries(nexus.registry.list().map(({ name, budget }) => [name, budget])),
      async [Symbol.asyncDispose]() {
        await client.close();
        await nexus.stop();
        scratch[Symbol.dispose]();
      },
    };
  },
};

/** The SDK's transport over one of our channels. */
function overChannel(channel: Channel): Transport {
  const transport: Transport = {
    async start() {
      channel.start({
        message: (message) =>
          transport.onmessage?.(message as Parameters<NonNullable<Transport['onmessage']>>[0]),
        closed: () => transport.onclose?.(),
      });
    },
    send: (message) => channel.send(message as JsonRpcMessage),
    close: () => channel.close(),
  };
  return transport;
}
