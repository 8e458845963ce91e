import { connectApp } from './app-process.ts';
import { createScratchProject } from './scratch-project.ts';
import type { WayIn } from './way-in.ts';

/** The built server in one process, reached through a second one that joins it. */
export const ipc: WayIn = {
  name: 'ipc',
  async open() {
    const scratch = createScratchProject();
    // Connected once it serves, so that the other finds it.
    const owner = await connectApp(scratch, ['--mode=server']);
    const client = await connectApp(scratch, ['--mode=client']);
    return {
      send: client.send,
      async [Symbol.asyncDispose]() {
        await client.close();
        await owner.close();
        scratch[Symbol.dispose]();
      },
    };
  },
};
